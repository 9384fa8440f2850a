/** From here on a match is called an answer; model/README.md and docs/retrieval.md have the precision and recall. */
export const ANSWERED_FROM = 0.6;

/** From here to `ANSWERED_FROM` a match is weak; below, nothing in the profile answers the question. */
export const WEAK_FROM = 0.4;

/** How to read a similarity of the bundled model: the one wording that tools, documents and pages show. */
export const SIMILARITY_MEANING = {
  en: `similarity (0 to 1): how likely this match is the right one. From ${ANSWERED_FROM} it answers the question, from ${WEAK_FROM} to ${ANSWERED_FROM} it is weak, below ${WEAK_FROM} it is no answer.`,
  es: `similarity (de 0 a 1): la probabilidad de que esta coincidencia sea la correcta. Desde ${spanish(ANSWERED_FROM)} responde a la pregunta, entre ${spanish(WEAK_FROM)} y ${spanish(ANSWERED_FROM)} es débil, por debajo de ${spanish(WEAK_FROM)} no responde.`,
} as const;

/** The same for any other embedding model. */
export const NOT_CALIBRATED = {
  en: 'similarity (0 to 1): not calibrated for this embedding model; it gives an order, not a threshold.',
  es: 'similarity (de 0 a 1): no está calibrada para este modelo de embeddings; da un orden, no un umbral.',
} as const;

/** What an empty list of matches means, and what to do then. */
export const NOTHING_FITS = {
  en: 'An empty list of matches means that nothing in the profile answers the question: say so, ask in other words once, or put the question to the team with a diagnostic request.',
  es: 'Una lista de coincidencias vacía significa que nada en el perfil responde a la pregunta: dilo, pregunta una vez con otras palabras o plantéasela al equipo con una solicitud de diagnóstico.',
} as const;

function spanish(value: number): string {
  return value.toLocaleString('es');
}
