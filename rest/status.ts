import { SERVICE } from '../tools/service.ts';

/** Body of GET /api/v1/status. */
export interface StatusOk {
  readonly ok: true;
  readonly status: 'ok';
  readonly service: string;
  readonly api_version: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

export function status(now: Date): StatusOk {
  return { ok: true, status: 'ok', service: SERVICE.name, api_version: SERVICE.apiVersion, time: now.toISOString() };
}
