import { type Fault, fault } from '../brand/profile/fault.ts';
import type { Profile } from '../brand/profile/schema.ts';
import { buildBrand } from '../brand/retrieval/answers.ts';
import type { RetrievalModel } from '../brand/retrieval/model.ts';
import type { RetrievalOptions } from '../brand/retrieval/retrieval.ts';
import { bandOf } from '../brand/retrieval/similarity.ts';
import { createExamples } from '../discovery/documents/examples.ts';
import { openBasics } from './basics.ts';

/** Loads what answers questions, and who is told how far it is. */
export type LoadAsked = () => Promise<RetrievalModel & Pick<RetrievalOptions, 'progress'>>;

/**
 * The questions of a profile that its service does not show as examples, since another claim answers them; and which of the
 * basic questions no claim answers.
 */
export async function questionWarnings(profile: Profile, loadModel: LoadAsked): Promise<Fault[]> {
  const brand = await buildBrand({ profile, digest: '', ...(await loadModel()) });
  const found: Fault[] = [];
  await createExamples(brand, fault => found.push(fault)).check();
  const open = await openBasics(profile, async query => {
    const [first] = (await brand.ask(query)).matches;
    return first && bandOf(first.similarity);
  });
  return open.length === 0
    ? found
    : [...found, fault('claims', 'basics_open', open.map(({ query }) => query).join(' '))];
}
