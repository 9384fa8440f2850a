import type { Fault } from '../brand/profile/fault.ts';
import type { Profile } from '../brand/profile/schema.ts';
import { buildBrand } from '../brand/retrieval/answers.ts';
import type { RetrievalModel } from '../brand/retrieval/model.ts';
import { createExamples } from '../discovery/documents/examples.ts';

/** The questions of a profile that its service does not show as examples, since another claim answers them. */
export async function questionWarnings(profile: Profile, loadModel: () => Promise<RetrievalModel>): Promise<Fault[]> {
  if (!profile.questions?.length) return [];
  const brand = await buildBrand({ profile, digest: '', ...(await loadModel()) });
  const found: Fault[] = [];
  await createExamples(brand, fault => found.push(fault)).check();
  return found;
}
