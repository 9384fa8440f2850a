import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { VARIABLES } from '../../server/config/settings.ts';
import { ROOT } from '../support/folder.ts';

const read = (file: string) => readFileSync(`${ROOT}deploy/${file}`, 'utf8');

/** What the image says of itself. */
const PORT = /^EXPOSE (\d+)$/m.exec(read('Dockerfile'))?.[1];
const VOLUME = /^VOLUME (\S+)$/m.exec(read('Dockerfile'))?.[1];

describe('the files to deploy with', () => {
  it('set variables that there are', () => {
    const compose = parse(read('compose.yaml'), { merge: true });
    const unit = [
      ...read('aval.service')
        .replace(/^# .*npm install.*$/gm, '')
        .matchAll(/\b([A-Z_]{3,})=/g),
    ].map(([, name = '']) => name);
    const names = [...Object.keys(compose['x-aval'].environment), ...unit];
    const known = new Set(VARIABLES.map(({ name }) => name));
    assert.deepEqual(
      names.filter(name => !known.has(name) && !known.has(name.replace(/_FILE$/, ''))),
      [],
    );
  });

  it('agree with the image on port and volume', () => {
    const { services } = parse(read('compose.yaml'), { merge: true });
    assert.deepEqual(services.caddy.environment.AVAL_UPSTREAMS.split(' '), [
      `aval-1:${PORT}`,
      `aval-2:${PORT}`,
    ]);
    assert.match(services['aval-1'].tmpfs[0], new RegExp(`^${VOLUME}:`));
  });

  it('name one pair of instances, whose admin ports Caddy can ask apart and in time', () => {
    const pair = ['127.0.0.1:8787', '127.0.0.2:8787'];
    const nginx = [...read('nginx.conf').matchAll(/^ *server (\S+:\d+) /gm)].map(([, address]) => address);
    assert.deepEqual(nginx, pair);
    const caddy = read('Caddyfile');
    assert.deepEqual(/AVAL_UPSTREAMS:([^}]+)\}/.exec(caddy)?.[1]?.split(' '), pair);
    const unit = read('aval.service');
    assert.equal(/ADMIN_PORT=(\d+)/.exec(unit)?.[1], /AVAL_ADMIN_PORT:(\d+)/.exec(caddy)?.[1]);
    const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)s`).exec(caddy)?.[1]);
    const noticed = seconds('health_interval') + seconds('health_timeout');
    assert.ok(Number(/DRAIN_SECONDS=(\d+)/.exec(unit)?.[1]) >= noticed);
    const pages = readFileSync(`${ROOT}docs/operations.md`, 'utf8');
    assert.match(pages, /HOST=127\.0\.0\.2 ADMIN_HOST=127\.0\.0\.2 aval serve/);
  });

  it('bound logs and memory of every container, and let no secret into the image', () => {
    const { services } = parse(read('compose.yaml'), { merge: true });
    for (const [name, service] of Object.entries<Record<string, { options?: object }>>(services)) {
      assert.ok(service.mem_limit, `${name} mem_limit`);
      assert.deepEqual(Object.keys(service.logging?.options ?? {}), ['max-size', 'max-file'], name);
    }
    const ignored = readFileSync(`${ROOT}.dockerignore`, 'utf8').split('\n');
    for (const pattern of ['**/.env*', '**/*.env', '**/*.key.json', '**/*.pem', '**/*.db*'])
      assert.ok(ignored.includes(pattern), pattern);
  });

  it('name files that are there', () => {
    for (const [, file] of read('compose.yaml').matchAll(/^# +cp (\S+)/gm))
      assert.ok(existsSync(`${ROOT}${file}`), file);
  });
});
