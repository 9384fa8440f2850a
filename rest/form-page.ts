import { KEPT_HINT } from '../tools/deliver.ts';
import type { ErrorCode, ServiceError } from '../tools/errors.ts';
import { errorHeaders } from './http/error-response.ts';
import type { Reply } from './http/reply.ts';

/** What a browser shows after a plain form post that was accepted. */
export function thanksPage(message: string): Reply {
  return page(200, 'Gracias', `<p>${escaped(message)}</p>`);
}

/** What a browser shows when a form post was refused: going back keeps what was typed. */
export function refusalPage(error: ServiceError): Reply {
  const issues = (error.issues ?? []).map(issue => `<li>${escaped(inSpanish(issue))}</li>`).join('');
  const parts = [`<p>${wordsFor(error)}</p>`, issues && `<ul>${issues}</ul>`, error.hint === KEPT_HINT ? '' : BACK];
  return page(error.status, 'No se ha enviado', parts.join(''), errorHeaders(error));
}

const BACK = '<p>Vuelve atrás para corregirlo: lo que has escrito sigue ahí.</p>';

/** KEPT_HINT for the person who sent the form. */
export const KEPT_WORDS =
  'Ahora mismo no podemos entregar tu mensaje, pero lo hemos guardado y lo seguimos intentando. ' +
  'No hace falta que lo envíes otra vez.';

function wordsFor({ code, hint, retryAfterSeconds }: ServiceError): string {
  if (hint === KEPT_HINT) return KEPT_WORDS;
  if (retryAfterSeconds !== undefined)
    return `Demasiados envíos. Vuelve a intentarlo en ${retryAfterSeconds} segundos.`;
  return WORDS[code] ?? 'No hemos podido recibir el formulario.';
}

const WORDS: Partial<Record<ErrorCode, string>> = {
  validation_error: 'Faltan datos o alguno no es válido:',
  delivery_failed: 'No hemos podido entregar tu mensaje. Vuelve a intentarlo en unos minutos.',
};

/** `email: required` → `Correo: es obligatorio`. */
function inSpanish(issue: string): string {
  const [field = '', rule = ''] = issue.split(/: (.*)/s);
  const words = RULES.find(([pattern]) => pattern.test(rule));
  return `${LABELS[field] ?? field}: ${words ? rule.replace(...words) : rule}`;
}

/** What the fields are called on the website. */
export const LABELS: Readonly<Record<string, string>> = {
  name: 'Nombre',
  email: 'Correo',
  company: 'Empresa',
  role: 'Cargo',
  size: 'Tamaño del equipo',
  level: 'Nivel de interés',
  country: 'País',
  context: 'Contexto',
};

/** Rules of `issues`, as a person reads them. */
export const RULES: readonly [pattern: RegExp, words: string][] = [
  [/^required$/, 'es obligatorio'],
  [/^at least (\d+) characters?$/, 'tiene que tener al menos $1 caracteres'],
  [/^at most (\d+) characters?$/, 'puede tener como máximo $1 caracteres'],
  [/^must be a valid email address$/, 'no es una dirección de correo válida'],
  [/^unknown field$/, 'campo desconocido'],
];

function page(status: number, title: string, body: string, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      ...headers,
    },
    body: `<!doctype html>
<html lang="es">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.5rem;color:#1c2430}h1{font-size:1.7rem}</style>
<main><h1>${title}</h1>${body}</main>
</html>
`,
  };
}

/** Text as it can stand in HTML, inside quotes too. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
