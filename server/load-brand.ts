import { buildBrand } from '../brand/build-brand.ts';
import { loadRetrievalModel } from '../brand/parameters.ts';
import { loadServedProfile } from '../brand/served-profile.ts';
import { loadStaticEmbedder } from '../brand/static-embedder.ts';
import type { ServedBrand } from './brand-source.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/**
 * The profile of the configuration, verified and ready to be asked.
 * @throws ProfileError with every fault of the profile, Error for a model that cannot be read
 */
export async function loadBrand(config: Config, log: Log): Promise<ServedBrand> {
  const { brandFile, brandJwks, baseUrl, production, modelDirectory } = config;
  const [served, model, embedder] = await Promise.all([
    loadServedProfile(brandFile, {
      jwksPath: brandJwks,
      host: baseUrl && new URL(baseUrl).host,
      production,
      now: new Date(),
    }),
    loadRetrievalModel(modelDirectory),
    loadStaticEmbedder(modelDirectory),
  ]);
  const { profile, digest, bytes, jwks, verified, warnings } = served;
  log('info', 'brand', { digest, signed: verified, claims: profile.claims.length });
  for (const warning of warnings) log('warn', 'brand', { warning });
  const brand = await buildBrand({
    profile,
    digest,
    embedder,
    ...model,
    note: message => log('info', 'brand', { message }),
  });
  return { ...brand, bytes, jwks };
}
