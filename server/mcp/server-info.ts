import { SERVICE } from '../../tools/service.ts';

/** Who answers, as every revision of the protocol puts it (`Implementation`). */
export const IDENTITY = { name: SERVICE.name, title: SERVICE.title, version: SERVICE.version } as const;

/** The first sentence counts: some hosts show no more of it. */
export const INSTRUCTIONS =
  'Ask about this consultancy with ask_brand: it returns claims of a signed brand profile, verbatim, each with the ' +
  'boundary inside which it holds and the proofs behind it. Compose the answer yourself, stay inside the boundary, ' +
  'cite claim_id, and say so when no match is similar enough. Nothing here is generated text.';
