import { buildBrand, type WarmableBrand } from '../brand/build-brand.ts';
import { loadRetrievalModel } from '../brand/parameters.ts';
import { loadProfile } from '../brand/profile.ts';
import { loadStaticEmbedder } from '../brand/static-embedder.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/**
 * The profile of the configuration, verified and ready to be asked.
 * @throws ProfileError with every fault of the profile, Error for a model that cannot be read
 */
export async function loadBrand(config: Config, log: Log): Promise<WarmableBrand> {
  const [{ profile, digest }, model, embedder] = await Promise.all([
    loadProfile(config.brandFile),
    loadRetrievalModel(config.modelDirectory),
    loadStaticEmbedder(config.modelDirectory),
  ]);
  return buildBrand({ profile, digest, embedder, ...model, note: message => log('info', 'brand', { message }) });
}
