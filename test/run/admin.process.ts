import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';
import { startServerProcess } from '../support/server-process.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { post } from '../support/support.ts';

const NO_PROMTOOL =
  spawnSync('promtool', ['--version']).status !== 0 &&
  'promtool is not installed; apt-get install prometheus brings it';

describe('the admin port', () => {
  it('tells that the process runs, whether it can work, and what it did', async t => {
    const server = await startServerProcess(t, {
      DATA_DIR: temporaryFolder(),
      ADMIN_PORT: '0',
      LIMITS: 'default=2/60',
      BASE_URL: 'https://norteclaro.example',
    });
    const admin = await server.admin();
    for (const q of ['¿Cuánto cuesta el diagnóstico?', 'xyzzy plugh', 'too many'])
      await fetch(`${server.url}/ask?q=${encodeURIComponent(q)}`);
    assert.equal((await post(`${server.url}/api/v1/contact`, DIAGNOSTIC)).status, 200);

    assert.equal((await fetch(`${admin}/livez`)).status, 200);
    const ready = await fetch(`${admin}/readyz`);
    assert.equal(ready.status, 200);
    const { parts } = Object(await ready.json());
    assert.deepEqual(
      parts.map(({ name, state }: Record<string, string>) => `${name} ${state}`),
      ['store ok', 'disk ok', 'profile ok', 'mail ok'],
    );

    const metrics = await (await fetch(`${admin}/metrics`)).text();
    const samples = metrics.replaceAll(/,?site="norteclaro\.example"/g, '').replaceAll('{}', '');
    for (const line of [
      'aval_requests_total{route="/ask",method="GET",status="200",code=""} 2',
      'aval_requests_total{route="/ask",method="GET",status="429",code="rate_limited"} 1',
      'aval_submissions{state="delivered"} 1',
      'aval_submission_events_total{outcome="delivered",kind="diagnostic"} 1',
      'aval_mail_attempts_total{part="team",outcome="accepted"} 1',
      'aval_submission_oldest_seconds 0',
      'aval_store_up 1',
    ]) {
      const ours = samples.split('\n').filter(row => row.startsWith('aval_'));
      assert.ok(ours.includes(line), `${line}\n${ours.join('\n')}`);
    }
    assert.match(samples, /^aval_profile_expires_timestamp_seconds \d{10}$/m);
    assert.match(metrics, /^nodejs_eventloop_lag_p99_seconds\{site="norteclaro\.example"\} /m);
    assert.equal((await fetch(`${server.url}/metrics`)).status, 404);
    assert.equal((await fetch(`${admin}/ask?q=a`)).status, 404);
    if (NO_PROMTOOL) return;
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: metrics, encoding: 'utf8' });
    assert.deepEqual(
      checked.stderr.split('\n').filter(line => line.includes('aval_')),
      [],
    );
  });

  it('says that it is stopping, and goes on answering until a load balancer has noticed', async t => {
    const server = await startServerProcess(t, {
      DATA_DIR: temporaryFolder(),
      ADMIN_PORT: '0',
      DRAIN_SECONDS: '10',
    });
    const admin = await server.admin();
    server.child.kill('SIGTERM');
    await server.wrote(/"event":"stopping"/);
    const ready = await fetch(`${admin}/readyz`);
    assert.equal(ready.status, 503);
    assert.match(await ready.text(), /is stopping/);
    assert.equal((await post(`${server.url}/api/v1/contact`, DIAGNOSTIC)).status, 200);
    assert.equal(await server.exit, 0);
  });

  it('has rules that fire for the first event of one site, and not for the site beside it', {
    skip: NO_PROMTOOL,
  }, () => {
    const tested = spawnSync('promtool', ['test', 'rules', 'deploy/alerts.test.yml'], { encoding: 'utf8' });
    assert.equal(tested.status, 0, tested.stdout + tested.stderr);
    const configured = spawnSync('promtool', ['check', 'config', 'deploy/prometheus.yml'], {
      encoding: 'utf8',
    });
    assert.equal(configured.status, 0, configured.stdout + configured.stderr);
    const names = (file: string, row: RegExp) =>
      [...readFileSync(file, 'utf8').matchAll(row)].map(([, name]) => name);
    const fired = new Set(names('deploy/alerts.test.yml', /alertname="(\w+)"/g));
    assert.deepEqual(
      names('deploy/alerts.yml', /alert: (\w+)/g).filter(name => !fired.has(name)),
      [],
    );
  });
});
