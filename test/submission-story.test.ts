// contract: 3.1, 3.4, 3.5, 5.3
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Mail } from '../server/mail/mailer.ts';
import { temporaryFolder } from './folder.ts';
import {
  anew,
  assertAccepted,
  DIAGNOSTIC,
  DRY_RUN_OK,
  multipart,
  postForm,
  startForms,
  TEAM,
  withoutReference,
} from './submission-support.ts';
import { assertRefused } from './support.ts';

/** A team's mail without what differs by submission and surface: its id, its time and the line of the channel. */
function story({ messageId, subject, text, ...rest }: Mail) {
  return {
    ...rest,
    messageId: messageId.replace(/sub-[0-9a-f]+/, 'ID'),
    subject: subject.replace(REFERENCE, 'REFERENCE'),
    text: text
      .replace(REFERENCE, 'REFERENCE')
      .replace(/^Recibida: \S+$/m, 'Recibida: TIME')
      .replace(/^Canal: .+$/m, 'Canal: SURFACE'),
  };
}

const REFERENCE = /[A-Z]{4}-\d{4}/;

const channelOf = ({ text }: Mail) => /^Canal: (.+)$/m.exec(text)?.[1];

describe('the same diagnostic request', () => {
  it('is answered at a domain in other letters by its name in ASCII', async t => {
    const { contact, mailer } = await startForms(t);
    assert.equal((await contact({ ...DIAGNOSTIC, email: 'ana@españa.es' })).status, 200);
    const [team] = mailer.to(TEAM);
    assert.equal(team?.replyTo, 'ana@xn--espaa-rta.es');
    await mailer.arrived(2);
    assert.equal(mailer.to('ana@xn--espaa-rta.es').length, 1);
  });

  it('gives the same mail and the same body through REST JSON, both form types and MCP', async t => {
    const { url, contact, form, call, mailer } = await startForms(t);
    const expected = DRY_RUN_OK;
    await assertAccepted(contact(DIAGNOSTIC), expected);
    await assertAccepted(form(DIAGNOSTIC, anew()), expected);
    await assertAccepted(postForm(`${url}/api/contact`, multipart(DIAGNOSTIC), anew()), expected);
    const { status, result } = await call('request_diagnostic', DIAGNOSTIC, anew());
    assert.deepEqual([status, withoutReference(result.structuredContent)], [200, expected]);
    assert.deepEqual(result.content, [{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
    assert.equal('isError' in result, false);

    const mails = mailer.to(TEAM);
    assert.equal(mails.length, 4);
    const [first] = mails;
    for (const mail of mails) assert.deepEqual(story(mail), first && story(first));
    assert.deepEqual(mails.map(channelOf), ['API REST', 'formulario web', 'formulario web', 'MCP (un agente)']);
    assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 4);
  });
});

describe('a submission that cannot be written to disk', () => {
  it('is the same on a full disk, and with room again the next one is taken', async t => {
    const disk = mountSmallDisk(t);
    if (disk === undefined) return t.skip('needs the right to mount');
    const { contact, mailer, lines } = await startForms(t, { env: { DATA_DIR: disk } });
    await assert.rejects(writeFile(join(disk, 'filler'), Buffer.alloc(2_000_000)), { code: 'ENOSPC' });
    const refused = await contact(DIAGNOSTIC);
    assert.equal(refused.headers.get('ratelimit'), '"submissions";r=10;t=0');
    await assertRefused(Promise.resolve(refused), 'delivery_failed', 500);
    assert.equal(mailer.mails.length, 0);
    assert.equal(lines.find(({ event }) => event === 'submission not kept')?.cause, 'SQLITE_FULL');
    await rm(join(disk, 'filler'));
    await assertAccepted(contact(DIAGNOSTIC), DRY_RUN_OK);
  });
});

/** A file system of 1 MiB, where this user may mount one. */
function mountSmallDisk(t: TestContext): string | undefined {
  const directory = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  t.after(() => execFileSync('umount', ['-l', directory]));
  return directory;
}
