import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import type { Child } from './child.ts';
import { ascending, percentile } from './load/bystander.ts';
import { load } from './load/load.ts';
import { measuredCode } from './measured-code.ts';

/** One kind of request against one server. */
export interface MeasuredCase {
  readonly child: Child;
  readonly requests: readonly Buffer[];
}

export interface Measurement {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Plan {
  readonly rounds: number;
  /** Of each row in each round. */
  readonly seconds: number;
  readonly connections: number;
}

/** What was measured in each round. */
export type Rounds<R extends MeasuredCase> = readonly ReadonlyMap<R, Measurement>[];

/**
 * Measures every row once in each round, after one round for warmth, so that a machine that slows down slows all of them.
 * @param tell is told when a round has ended, counted from 1
 */
export async function measureRounds<R extends MeasuredCase>(
  rows: readonly R[],
  plan: Plan,
  tell: (round: number) => void,
): Promise<Rounds<R>> {
  for (const row of rows) await measure(row, { ...plan, seconds: Math.min(plan.seconds, 1) });
  const rounds: Map<R, Measurement>[] = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    const measured = new Map<R, Measurement>();
    for (const row of rows) measured.set(row, await measure(row, plan));
    rounds.push(measured);
    tell(round);
  }
  return rounds;
}

async function measure({ child, requests }: MeasuredCase, { seconds, connections }: Plan): Promise<Measurement> {
  const before = child.cpuMicroseconds();
  const result = await load({ port: child.port, requests, connections, seconds });
  return { ...result, cpuMicroseconds: (child.cpuMicroseconds() - before) / result.requests };
}

/** Median of one figure of a row. */
export function medianOf<R extends MeasuredCase>(rounds: Rounds<R>, row: R, figure: keyof Measurement): number {
  return median(rounds.map(round => round.get(row)?.[figure] ?? Number.NaN));
}

/** Median throughput as a multiple of another row's, each ratio taken within a round. */
export function medianRatio<R extends MeasuredCase>(rounds: Rounds<R>, row: R, other: R): number {
  const rate = (round: ReadonlyMap<R, Measurement>, one: R) => round.get(one)?.perSecond ?? Number.NaN;
  return median(rounds.map(round => rate(round, row) / rate(round, other)));
}

export const median = (values: readonly number[]): number => percentile(ascending(values), 0.5);

/** Work of others on this machine, before: about 0 where it is quiet. */
const [LOAD_BEFORE = 0] = loadavg();

/** When and where something was measured, and which code. */
export function circumstances() {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}, load before ${LOAD_BEFORE.toFixed(1)}`,
    code: measuredCode(),
  };
}

/** Keeps a result, from which the documents are written. */
export function keep(name: string, result: object): void {
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(result, null, 2)}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
