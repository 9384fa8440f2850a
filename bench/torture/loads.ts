import { Agent } from 'node:http';
import { createConnection } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { distinctQuestions } from '../questions.ts';
import { addressOf, ask, form, type Sent, send } from './send.ts';

/**
 * Kinds of load, each of a stranger who wants the service for himself. bystander.ts runs one in a
 * process of its own: `loads.ts NAME PORT SECONDS`.
 */
interface Target {
  readonly port: number;
  readonly untilMs: number;
}

const questions = distinctQuestions(20_000);
const question = (turn: number) => questions[turn % questions.length] ?? '';

const LARGEST_FORM = JSON.stringify({ context: 'x'.repeat(63_000) });

/** Senders that ask as fast as they are answered. */
async function flood({ port, untilMs }: Target, senders: number, next: (turn: number) => Sent, clients = 1) {
  let turn = 0;
  const sender = async (index: number) => {
    const localAddress = addressOf(index % clients, 3);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
    while (performance.now() < untilMs) {
      turn += 1;
      const { status } = await send({ port, agent, localAddress }, next(turn));
      if (status === 0) await setTimeout(100);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: senders }, (_, index) => sender(index)));
}

/** Sockets of one address that stay open: what each sends at first, and then every second. */
async function hold({ port, untilMs }: Target, sockets: number, first: string, drop = '', reads = true) {
  const holder = async () => {
    while (performance.now() < untilMs) {
      const socket = createConnection({ port, host: '127.0.0.1', localAddress: addressOf(0, 3) });
      socket.on('error', () => {});
      if (reads) socket.resume();
      socket.write(first);
      while (!socket.destroyed && performance.now() < untilMs) {
        await setTimeout(1000);
        if (drop !== '' && socket.writable) socket.write(drop);
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: sockets }, holder));
}

const prefilledForm = (turn: number): Sent => ({ method: 'GET', path: `/forms/diagnostic?context=${turn}` });
const largestForm = (): Sent => ({ method: 'POST', path: '/api/v1/contact', body: LARGEST_FORM });
const SLOW_POST =
  'POST /api/v1/contact HTTP/1.1\r\nhost: 127.0.0.1\r\n' +
  'content-type: application/json\r\ncontent-length: 500\r\n\r\n{';
const PAGE = 'GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
export const LOADS = {
  'questions of one client': target => flood(target, 50, turn => ask(question(turn))),
  'questions of 200 clients': target => flood(target, 50, turn => ask(question(turn)), 200),
  '1,900 connections of one client': target => flood(target, 1900, prefilledForm),
  'documents of one client': target => flood(target, 50, () => ({ method: 'GET', path: '/openapi.json' })),
  'forms of one client': target => flood(target, 50, form),
  'invalid forms of 64 KiB': target => flood(target, 50, largestForm),
  '1,500 slow posts of one address': target => hold(target, 1500, SLOW_POST, ' '),
  '500 sockets that do not read': target => hold(target, 500, PAGE.repeat(8), '', false),
} as const satisfies Record<string, (target: Target) => Promise<void>>;

export type LoadName = keyof typeof LOADS;

const isLoad = (name: string): name is LoadName => Object.hasOwn(LOADS, name);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name = '', port, seconds] = process.argv.slice(2);
  const untilMs = performance.now() + Number(seconds) * 1000;
  if (!isLoad(name)) throw new Error(`there is no load ${name}`);
  await LOADS[name]({ port: Number(port), untilMs });
  process.exit(0);
}
