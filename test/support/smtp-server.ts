import { EventEmitter, once } from 'node:events';
import type { TestContext } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as it came over the wire, with its first recipient of the envelope. */
interface Received {
  readonly to: string;
  readonly source: string;
}

/** A real SMTP server on a free loopback port. @param refusal what it answers to every mail once that was read */
export async function startSmtp(
  t: Pick<TestContext, 'after'>,
  options: SMTPServerOptions = {},
  refusal?: Error,
): Promise<SmtpHost> {
  const mails: Received[] = [];
  const events = new EventEmitter();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', chunk => chunks.push(chunk));
      stream.once('end', () => {
        const source = Buffer.concat(chunks).toString();
        if (!refusal) mails.push(...session.envelope.rcptTo.map(({ address }) => ({ to: address, source })));
        done(refusal);
        events.emit('mail');
      });
    },
    ...options,
  });
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())));
  return {
    url: `smtp://127.0.0.1:${Object(listener.address()).port}`,
    mails,
    async received(total) {
      while (mails.length < total) await once(events, 'mail', { signal: AbortSignal.timeout(240_000) });
    },
  };
}

export interface SmtpHost {
  readonly url: string;
  readonly mails: readonly Received[];
  /** Resolves once so many mails have come. */
  received(total: number): Promise<void>;
}
