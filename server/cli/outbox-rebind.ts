import { loadProfile } from '../../brand/profile/profile.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { boundTo, rebind } from '../outbox/binding.ts';
import { operator, withDatabase } from './outbox.ts';

/** `aval outbox rebind`: gives the store to the profile of BRAND_FILE, once its id changed on purpose. 1 without `--yes`. */
export function rebindStore({ yes }: { readonly yes?: boolean }, { stdout, stderr }: Output): Promise<ExitCode> {
  return withDatabase(async (database, { brandFile }) => {
    const { profile } = await loadProfile(brandFile);
    const owner = await boundTo(database);
    writeLines(stdout, [`store: ${owner ?? 'no profile yet'}`, `${brandFile}: ${profile.id}`]);
    if (owner === profile.id) return 0;
    if (!yes) {
      writeLines(stderr, ['nothing changed; --yes binds the store to the profile of BRAND_FILE']);
      return 1;
    }
    await rebind(database, profile.id, operator());
    writeLines(stderr, [`the store now belongs to "${profile.id}"; restart its servers`]);
    return 0;
  });
}
