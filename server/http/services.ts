import type { Publishing } from '../../discovery/documents/site.ts';
import type { FormSettings } from '../../rest/tool-route.ts';
import type { Deliver, Submission } from '../../tools/deliver.ts';
import type { Policies } from '../../tools/policies.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { AskLog } from '../asked/ask-log.ts';
import type { Log } from '../config/log.ts';
import type { ClientKey } from '../connections/client-key.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';

/** What the app stands on whatever the profile; the process builds it, tests bring their own. */
export interface Services extends FormSettings {
  /** Public origin without a trailing slash. */
  readonly baseUrl: string;
  readonly policies: Policies;
  readonly publishing: Publishing;
  readonly allowedOrigins: readonly string[];
  readonly limiter: RateLimiter;
  /** Counts failed attempts. */
  readonly failures: RateLimiter;
  readonly deliver: Deliver;
  readonly isReplay: (submission: Submission) => Promise<boolean>;
  /** `dry-run` outside production. */
  readonly mode: ToolContext['mode'];
  /** Keeps what is asked; absent where ASK_LOG is off. */
  readonly asked?: AskLog | undefined;
  readonly clientKey: ClientKey;
  readonly log: Log;
  readonly now: () => Date;
}
