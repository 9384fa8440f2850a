import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { buildImage, NO_IMAGES, runContainer } from './deploy-image.ts';
import { freePort } from './free-port.ts';
import { startSmtp } from './smtp-server.ts';
import { DIAGNOSTIC } from './submission-support.ts';
import { ROOT } from './support.ts';

/** `npm run check:deploy`: the image, as somebody who deploys it gets it. */
const folder = mkdtempSync(join(tmpdir(), 'aval-deploy-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('the image', { skip: NO_IMAGES, timeout: 900_000 }, () => {
  it('runs as nobody on a read-only root, mails what it takes, and has it after a restart and from a back-up', async t => {
    const image = buildImage();
    const mails = await startSmtp(t);
    const data = privateFolder('data');
    const port = String(await freePort());
    const env = {
      PORT: port,
      BASE_URL: `http://127.0.0.1:${port}`,
      SMTP_URL: mails.url,
      MAIL_FROM: 'Norte Claro <hola@norteclaro.example>',
      MAIL_TO: 'equipo@norteclaro.example',
      LOG_FORMAT: 'json',
    };
    const run = () => runContainer(t, image, { env, volumes: { [data]: '/data' } });

    const first = run();
    const url = await first.listening();
    const asked = Object(await (await fetch(`${url}/ask?q=precio`)).json());
    assert.ok(asked.matches.length > 0);
    assert.equal((await post(url, DIAGNOSTIC)).mode, undefined, 'production');
    await mails.received(2);
    await stop(first.child);
    assert.equal(statSync(join(data, 'aval.db')).uid, 10001);

    const second = run();
    await post(await second.listening(), { ...DIAGNOSTIC, context: 'Otra petición, después del reinicio.' });
    await mails.received(4);
    const backup = join(folder, 'backup.db');
    aval(['backup', backup], { DATA_DIR: data });
    await stop(second.child);

    const restored = privateFolder('restored');
    aval(['restore', backup], { DATA_DIR: restored });
    const listed = aval(['outbox', 'list'], { DATA_DIR: restored });
    assert.equal(listed.match(/delivered/g)?.length, 2, listed);
  });
});

/** A folder as systemd or a volume gives it to the user of the image. */
function privateFolder(name: string): string {
  const path = mkdtempSync(join(folder, `${name}-`));
  chmodSync(folder, 0o755);
  chmodSync(path, 0o700);
  if (process.getuid?.() === 0) chownSync(path, 10001, 10001);
  return path;
}

function aval(args: readonly string[], env: Record<string, string>): string {
  const { PATH = '' } = process.env;
  return execFileSync(process.execPath, [`${ROOT}dist/server/cli.js`, ...args], {
    env: { PATH, ...env },
    encoding: 'utf8',
  });
}

async function post(url: string, body: object) {
  const answer = await fetch(`${url}/api/v1/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200);
  return Object(await answer.json());
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  // The first process of its own process numbers: a signal must reach it, not unshare.
  spawnSync('pkill', ['-TERM', '-P', String(child.pid)]);
  await ended;
}
