import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../../test/support/folder.ts';
import { freePort } from '../../test/support/free-port.ts';
import { ROOT } from '../../test/support/support.ts';
import { startProgram } from '../child.ts';
import { nextNumber, REQUESTS, send } from '../load/crowd.ts';
import type { Deployment } from './deployment.ts';

/** An alert that a real Prometheus fired, and how long after the fault began. */
interface Fired {
  readonly fault: string;
  readonly alert: string;
  readonly site: string;
  readonly afterSeconds: number;
}

/** Long enough for `for: 1m` of deploy/alerts.yml. */
const FAULT_SECONDS = 90;

/** Postgres goes away under a trickle of forms; a Prometheus with deploy/alerts.yml tells what it fires. */
export async function alertsFired({ port, metrics, postgres }: Deployment): Promise<Fired[]> {
  const prometheus = await startPrometheus(metrics);
  const fired = new Map<string, Fired>();
  try {
    // Each counter is seen at zero before its first event.
    await setTimeout(10_000);
    const begunMs = performance.now();
    await postgres.stop();
    while (performance.now() - begunMs < FAULT_SECONDS * 1000) {
      await send({ port, agent: false }, REQUESTS.forms(nextNumber()));
      const afterSeconds = Math.round((performance.now() - begunMs) / 1000);
      for (const { alert, site } of await prometheus.firing()) {
        if (!fired.has(alert)) fired.set(alert, { fault: 'Postgres stopped', alert, site, afterSeconds });
      }
      await setTimeout(2000);
    }
    await postgres.start();
    return [...fired.values()];
  } finally {
    await prometheus.end();
  }
}

async function startPrometheus(targets: readonly string[]) {
  const folder = temporaryFolder();
  const address = `127.0.0.1:${await freePort()}`;
  const config = {
    global: { scrape_interval: '2s', evaluation_interval: '2s' },
    rule_files: [`${ROOT}deploy/alerts.yml`],
    scrape_configs: [{ job_name: 'aval', static_configs: [{ targets }] }],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const places = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
  const end = await startProgram(
    ['prometheus', ...places, `--web.listen-address=${address}`],
    `http://${address}/-/ready`,
  );
  return {
    async firing(): Promise<{ readonly alert: string; readonly site: string }[]> {
      const { data } = Object(await (await fetch(`http://${address}/api/v1/alerts`)).json());
      return data.alerts
        .filter(({ state }: { state: string }) => state === 'firing')
        .map(({ labels }: { labels: Record<string, string> }) => ({
          alert: labels.alertname ?? '',
          site: labels.site ?? '',
        }));
    },
    end,
  };
}
