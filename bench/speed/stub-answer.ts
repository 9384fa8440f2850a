import { exampleBrand } from '../../test/support.ts';

const [match] = (await (await exampleBrand()).ask('¿Cuánto cuesta el diagnóstico?')).matches;

/** What the stub has no claim for. */
export const UNKNOWN = 'Nada: ';

/**
 * One claim as the answer to any question, none where it begins with `UNKNOWN`: retrieval is measured elsewhere, here
 * the protocol around it. A new object each time, so that nothing is rendered once for all.
 */
export const answerTo = (query: string) => ({
  brand: 'Norte Claro',
  query,
  matches: match && !query.startsWith(UNKNOWN) ? [match] : [],
});
