// contract: 7.1, 7.4
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ConfigError, readConfig } from '../server/config/config.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { NO_REDIS, startRedis } from './redis-server.ts';
import { startServerProcess } from './server-process.ts';
import { assertRefused, startApp } from './support.ts';

const CLIENT_KEY_SECRET = 'a secret of all instances, 32 characters or more';

/** A server that counts in the Redis at `url`. */
async function startInstance(t: TestContext, REDIS_URL: string, env: Record<string, string> = {}) {
  const app = await startApp(t, { env: { REDIS_URL, CLIENT_KEY_SECRET, ...env } });
  return {
    ...app,
    ask: () => fetch(`${app.url}/ask?q=precio`),
    status: () => fetch(`${app.url}/api/v1/status`),
    limitLines: () => app.lines.filter(line => line.event === 'limits'),
  };
}

const quotaAndRest = ({ headers }: Response) =>
  ['ratelimit-limit', 'ratelimit-remaining'].map(name => Number(headers.get(name)));

describe('the variables of shared limits', () => {
  const errorOf = (env: Record<string, string>) => {
    try {
      readConfig(env);
    } catch (error) {
      return error instanceof ConfigError ? error.message : error;
    }
    return undefined;
  };

  it('demand one secret for all instances', () => {
    assert.match(String(errorOf({ REDIS_URL: 'redis://127.0.0.1' })), /CLIENT_KEY_SECRET: is needed with REDIS_URL/);
    assert.match(String(errorOf({ CLIENT_KEY_SECRET: 'short' })), /CLIENT_KEY_SECRET: must have 32 characters/);
    assert.equal(errorOf({ REDIS_URL: 'rediss://:word@cache.example:6380/1', CLIENT_KEY_SECRET }), undefined);
  });

  it('refuse what is no address of a Redis, without repeating the password in it', () => {
    const message = String(errorOf({ REDIS_URL: 'http://:word@cache.example', CLIENT_KEY_SECRET }));
    assert.match(message, /REDIS_URL: must be redis:\/\//);
    assert.doesNotMatch(message, /word@/);
  });
});

describe('servers on one Redis', { skip: NO_REDIS, timeout: 60_000 }, () => {
  it('share a limit', async t => {
    const redis = await startRedis(t);
    const limit = { LIMIT_DEFAULT: '5/60' };
    const [first, second] = [await startInstance(t, redis.url, limit), await startInstance(t, redis.url, limit)];
    for (const { ask } of [first, second, first, second]) await ask();
    assert.deepEqual(quotaAndRest(await first.ask()), [5, 0]);
    const { hint } = await assertRefused(second.ask(), 'rate_limited', 429);
    assert.match(hint, /^Wait \d+ seconds/);
    assert.deepEqual(quotaAndRest(await second.status()), [5, 4]);
  });

  it('count each for itself when Redis is stopped, its part of the limit with what it had accepted, and share again when it is back', async t => {
    const redis = await startRedis(t);
    const { ask, status, clock, limitLines } = await startInstance(t, redis.url, { INSTANCES: '3' });
    await ask();
    await redis.stop();
    for (const rest of [18, 17, 16, 15]) assert.deepEqual(quotaAndRest(await ask()), [20, rest]);
    assert.equal((await status()).status, 200);
    const [warning, ...others] = limitLines();
    assert.deepEqual([warning?.level, others], ['warn', []]);
    assert.match(String(warning?.cause), /ECONNREFUSED|closed|reset/i);
    await redis.start();
    // Nobody asks anything meanwhile.
    await eventually(async () => limitLines().length === 2);
    await eventually(async () => {
      clock.advance(5);
      return quotaAndRest(await ask())[0] === 60;
    });
    assert.deepEqual(limitLines().slice(1), [{ level: 'info', event: 'limits', shared: true }]);
  });

  it('do not wait for a frozen Redis longer than a moment, and not at all after three times', async t => {
    const redis = await startRedis(t);
    const { ask } = await startInstance(t, redis.url);
    redis.freeze();
    const times: number[] = [];
    for (let asked = 0; asked < 4; asked += 1) {
      const started = performance.now();
      assert.equal((await ask()).status, 200);
      times.push(performance.now() - started);
    }
    assert.ok(times.every(ms => ms < 1000));
    assert.ok(times[3]! < 100, `${times}`);
    redis.thaw();
  });

  it('refuse all but the status with LIMITS_STRICT while Redis fails', async t => {
    const redis = await startRedis(t);
    const { ask, status, url } = await startInstance(t, redis.url, { LIMITS_STRICT: '1' });
    await redis.stop();
    for (let asked = 0; asked < 4; asked += 1) {
      const response = await ask();
      assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '30']);
      assert.equal((await status()).status, 200);
    }
    await assertRefused(fetch(`${url}/nothing`), 'not_found', 404);
  });

  it('end cleanly and at once, whatever Redis does', async t => {
    const redis = await startRedis(t);
    const env = { REDIS_URL: redis.url, CLIENT_KEY_SECRET, DATA_DIR: temporaryFolder() };
    for (const before of [() => {}, redis.freeze]) {
      const { child, exit } = await startServerProcess(t, env);
      before();
      const started = performance.now();
      child.kill('SIGTERM');
      assert.equal(await exit, 0);
      assert.ok(performance.now() - started < 3000);
    }
    redis.thaw();
  });
});

describe('a server without its Redis', { timeout: 20_000 }, () => {
  it('starts, counts alone, and raises an alarm that says so', async t => {
    const { ask, limitLines } = await startInstance(t, `redis://127.0.0.1:${await freePort()}`, { INSTANCES: '2' });
    for (const rest of [29, 28, 27]) assert.deepEqual(quotaAndRest(await ask()), [30, rest]);
    assert.match(String(limitLines()[0]?.cause), /ECONNREFUSED/);
    assert.equal(limitLines()[0]?.alarm, true);
  });
});

async function eventually(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isTrue()) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  assert.fail('it never came true');
}
