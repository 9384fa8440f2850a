import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { startSmtp } from '../support/smtp-server.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { bodyOf, post } from '../support/support.ts';
import { buildImage, NO_IMAGES, runContainer } from './deploy-image.ts';

/** `npm run check:package`: the image, as somebody who deploys it gets it. */
const folder = temporaryFolder();

describe('the image', { skip: NO_IMAGES, timeout: 900_000 }, () => {
  let image = '';
  before(() => {
    image = buildImage();
  });

  /** What compose.yaml gives a server, with a mail server of the test. */
  async function installation(t: TestContext) {
    const mails = await startSmtp(t);
    const port = String(await freePort());
    const env = {
      PORT: port,
      BASE_URL: `http://127.0.0.1:${port}`,
      SMTP_URL: mails.url,
      MAIL_FROM: 'Norte Claro <hola@norteclaro.example>',
      MAIL_TO: 'equipo@norteclaro.example',
    };
    return { mails, serve: (data: string) => runContainer(t, image, { env, data }) };
  }

  it('runs as nobody on a read-only root, mails what it takes, and has it after a restart', async t => {
    const { mails, serve } = await installation(t);
    const data = volume();
    const first = serve(data);
    const url = await first.listening();
    const asked = await bodyOf(await fetch(`${url}/ask?q=precio`));
    assert.ok(asked.matches.length > 0);
    assert.equal((await send(url, DIAGNOSTIC)).mode, undefined, 'production');
    await mails.received(2);
    await first.stop();
    assert.equal(statSync(join(data, 'aval.db')).uid, 10001);

    const second = serve(data);
    await send(await second.listening(), { ...DIAGNOSTIC, context: 'Otra petición, después del reinicio.' });
    await mails.received(4);
    await second.stop();
  });
});

/** A folder as a volume gives it to the user of the image. */
function volume(): string {
  const path = mkdtempSync(join(folder, 'data-'));
  chmodSync(folder, 0o755);
  chmodSync(path, 0o700);
  chownSync(path, 10001, 10001);
  return path;
}

async function send(url: string, body: object) {
  const answer = await post(`${url}/api/v1/contact`, body);
  assert.equal(answer.status, 200);
  return bodyOf(answer);
}
