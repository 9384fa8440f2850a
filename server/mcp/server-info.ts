import type { Presentation } from '../../tools/presentation.ts';
import { SERVICE } from '../../tools/service.ts';

/** Who answers, as every revision of the protocol puts it (`Implementation`). */
export function identity({ brand }: Presentation) {
  return { name: SERVICE.name, title: brand ?? SERVICE.title, version: SERVICE.version };
}

/** The first sentence counts: some hosts show no more of it. */
export function instructions({ brand = 'this brand', about, signed }: Presentation): string {
  return (
    `Ask about ${brand} with ask_brand: it returns claims of its ${signed ? 'signed ' : ''}brand profile, verbatim, each with ` +
    `the boundary inside which it holds and the proofs behind it. ${about ? `About ${brand}: ${about}. ` : ''}` +
    'Compose the answer yourself, stay inside the boundary, cite claim_id, and say so when no match is similar enough. ' +
    'Nothing here is generated text.'
  );
}
