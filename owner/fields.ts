import { ACTION_FIELDS } from '../brand/profile/action-schema.ts';
import { isSpanish } from '../brand/profile/finding-words.ts';
import { WORDS } from './studio-words.ts';

/** How a member is written on the page: its control, its label and help, and the bounds of the schema that the control can hold. */
export interface Field {
  /** Members on the way from the part: `boundary`, `applicable_for`. `*` stands for the profile's language. */
  readonly path: readonly (string | number)[];
  /** `figure`: a number where it can be read as one, else the text. `several`: of `of`; `proofs`: of the profile's proofs. */
  readonly is:
    | 'line'
    | 'text'
    | 'color'
    | 'date'
    | 'figure'
    | 'count'
    | 'choice'
    | 'several'
    | 'proofs'
    | 'claim';
  /** Label and help, in English and in Spanish. */
  readonly words: readonly [label: string, etiqueta: string, help?: string, ayuda?: string];
  readonly of?: readonly string[];
  readonly most?: number;
  readonly optional?: boolean;
}

type Row = readonly [path: string, is: Field['is'], words: Field['words'], more?: Pick<Field, 'of' | 'most'>];

/** A path that ends with `?` may be left empty. */
const fields = (rows: readonly Row[]): Field[] =>
  rows.map(([path, is, words, more]) => ({
    path: path
      .replace('?', '')
      .split('.')
      .map(name => (/^\d+$/.test(name) ? Number(name) : name)),
    ...{ is, words, optional: path.endsWith('?'), ...more },
  }));

// biome-ignore format: a table, a field a line
const LEVELS = [0, 1, 2, 3].map((level): Row => [`words.*.levels.${level}?`, 'line', ['Level of the program', 'Nivel del programa', 'Write all four, or none: then people choose among the usual ones.', 'Escribe los cuatro, o ninguno: entonces se elige entre los habituales.'], { most: 80 }]);

/** An action's own members; the fields that it may ask for are the contract's. */
// biome-ignore format: a table, a field a line
const action = (of: readonly string[], levels: readonly Row[] = []) => fields([
  ['words.*.title', 'line', ['Name', 'Nombre'], { most: 80 }],
  ['words.*.purpose', 'text', ['What it is for', 'Para qué es'], { most: 300 }],
  ['words.*.context', 'text', ['What to write in the text', 'Qué escribir en el texto'], { most: 300 }],
  ['words.*.thanks', 'line', ['Said once it has arrived', 'Se dice cuando ha llegado'], { most: 200 }],
  ...levels,
  ['reply_hours?', 'count', ['Hours until a person replies', 'Horas hasta que responde una persona', 'Write 48 or less. Empty stands for 48.', 'Escribe 48 o menos. Vacío vale por 48.']],
  ['fields?', 'several', ['Also asks for', 'Pide también', 'The form always asks for name, e-mail and text.', 'El formulario pide siempre nombre, correo y texto.'], { of }],
]);

/** What an owner can write without JSON, part by part. Everything else in the document stays as it is. */
// biome-ignore format: a table, a field a line
export const FIELDS: Readonly<Record<string, readonly Field[]>> = {
  brand: fields([
    ['names.0.*', 'line', ['Name', 'Nombre', 'Every answer begins with it.', 'Cada respuesta empieza con él.'], { most: 200 }],
    ['url', 'line', ['Web address', 'Dirección web', 'The signature counts on this host alone.', 'La firma vale solo para este sitio.'], { most: 2000 }],
    ['language', 'choice', ['Language of the claims', 'Idioma de las afirmaciones'], { of: ['es', 'en', 'ca', 'gl', 'eu', 'pt', 'fr', 'de', 'it'] }],
    ['description?', 'text', ['Description', 'Descripción', 'What you do, in two sentences. Agents read it first.', 'Qué hacéis, en dos frases. Los agentes la leen primero.'], { most: 2000 }],
    ['contact.email?', 'line', ['E-mail', 'Correo', 'Shown where no claim answers.', 'Sale donde ninguna afirmación responde.'], { most: 200 }],
    ['contact.phone?', 'line', ['Phone', 'Teléfono', 'Only claims answer: write one with the phone too.', 'Solo responden las afirmaciones: escribe también una con el teléfono.'], { most: 60 }],
    ['colors.primary?', 'color', ['Main colour', 'Color principal', 'Buttons and links of your pages have it.', 'Lo llevan los botones y enlaces de tus páginas.']],
    ['colors.accent?', 'color', ['Accent colour', 'Color de acento', 'Your pages use it if you choose no main colour.', 'Tus páginas lo usan si no eliges un color principal.']],
    ['colors.background?', 'color', ['Background', 'Fondo']],
    ['colors.text?', 'color', ['Text colour', 'Color del texto']],
    ['logos.0.url?', 'line', ['Logo', 'Logo', 'Address of a picture, https://…', 'Dirección de una imagen, https://…'], { most: 2000 }],
    ['privacy_policy_url?', 'line', ['Privacy policy', 'Política de privacidad', 'Address of the page, https://… The forms ask people to agree to it.', 'Dirección de la página, https://… Los formularios piden aceptarla.'], { most: 2000 }],
    ['expires_at', 'date', ['Valid until', 'Válido hasta', 'After this day nothing is answered.', 'Después de este día no se responde nada.']],
  ]),
  claim: fields([
    ['statement', 'text', ['Statement', 'Afirmación', 'The sentence that is quoted. Name the thing, the figure and the time.', 'La frase que se cita. Di la cosa, la cifra y el tiempo.'], { most: 2000 }],
    ['boundary.applicable_for', 'text', ['Applies to', 'Se aplica a', 'Say for whom, and under which condition.', 'Di a quién, y con qué condición.'], { most: 2000 }],
    ['boundary.not_applicable_for', 'text', ['Does not apply to', 'No se aplica a', 'Say whom you would send away.', 'Di a quién dirías que no.'], { most: 2000 }],
    ['category', 'line', ['Category', 'Categoría', 'Groups claims for readers.', 'Agrupa las afirmaciones.'], { most: 120 }],
    ['confidence', 'choice', ['How sure are you?', '¿Cuánta seguridad tienes?', 'High wants a proof.', 'Alta pide una prueba.'], { of: ['high', 'medium', 'low'] }],
    ['proof_ids?', 'proofs', ['Proofs', 'Pruebas', 'Tick what stands behind it.', 'Marca lo que hay detrás.']],
    ['metric.name?', 'line', ['What is measured', 'Qué se mide', 'Use the word that people use.', 'Usa la palabra de la gente.'], { most: 120 }],
    ['metric.value?', 'figure', ['Figure', 'Cifra'], { most: 120 }],
    ['metric.unit?', 'line', ['Unit', 'Unidad', 'EUR, days, %…', 'EUR, días, %…'], { most: 120 }],
    ['metric.window?', 'line', ['Over which time', 'En qué periodo'], { most: 300 }],
    ['metric.baseline?', 'figure', ['Compared with', 'Comparado con'], { most: 300 }],
    ['metric.n?', 'count', ['Cases', 'Casos', 'Say how many cases the figure comes from.', 'Di de cuántos casos sale la cifra.']],
    ['claim_id', 'line', ['Id', 'Id', 'Answers cite it: keep it when the words change.', 'Las respuestas lo citan: no lo cambies con las palabras.'], { most: 100 }],
  ]),
  proof: fields([
    ['title', 'line', ['Title', 'Título', 'What a reader sees first.', 'Lo primero que se ve.'], { most: 300 }],
    ['summary', 'text', ['What it shows', 'Qué demuestra'], { most: 2000 }],
    ['type', 'line', ['Kind', 'Tipo', 'case_study, audit, certificate, price_list…', 'case_study, audit, certificate, price_list…'], { most: 80 }],
    ['client', 'line', ['Whose case', 'De quién es el caso', 'Describe, do not name, unless it is public.', 'Descríbelo sin nombrarlo, salvo que sea público.'], { most: 300 }],
    ['verifiable_by', 'line', ['How to check it', 'Cómo se comprueba', 'Say how a stranger can check it.', 'Di cómo puede comprobarlo alguien de fuera.'], { most: 500 }],
    ['confidentiality', 'choice', ['Who may see it', 'Quién puede verla'], { of: ['public', 'anonymised', 'on_request', 'confidential'] }],
    ['proof_id', 'line', ['Id', 'Id', 'Claims name it.', 'Las afirmaciones lo nombran.'], { most: 100 }],
  ]),
  request_diagnostic: action(ACTION_FIELDS.request_diagnostic),
  apply_partner_program: action(ACTION_FIELDS.apply_partner_program, LEVELS),
  question: fields([
    ['text', 'line', ['Question', 'Pregunta'], { most: 200 }],
    ['claim_id', 'claim', ['Answered by', 'La responde']],
    ['language?', 'line', ['Language of the question', 'Idioma de la pregunta', 'Visitors see the questions of their language.', 'Cada visitante ve las de su idioma.'], { most: 35 }],
  ]),
};

/** A word of the studio; the name itself where it has none. */
export function wordOf(name: string, language: string): string {
  const words: Readonly<Record<string, readonly [string, string]>> = WORDS;
  return words[name]?.[isSpanish(language) ? 1 : 0] ?? name;
}

/** The label of a member of a part, of the first field in it; its name where it has none. */
export function labelOf(kind: string, member: readonly (string | number)[], language: string): string {
  const names = member.filter(name => typeof name === 'string');
  const field = FIELDS[kind]?.find(({ path }) => {
    const own = path.filter(name => typeof name === 'string');
    return names.length > 0 && names.every((name, at) => own[at] === name || own[at] === '*');
  });
  return field ? field.words[isSpanish(language) ? 1 : 0] : wordOf(names.join('.'), language);
}
