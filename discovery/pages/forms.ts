import { ROUTES } from '../../rest/routes.ts';
import { applyPartnerProgram } from '../../tools/apply-partner-program.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import { requestDiagnostic } from '../../tools/request-diagnostic.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Site } from '../documents/site.ts';
import { fields } from './field.ts';
import { attributes, html, type Markup } from './html.ts';

/** The question box. Without JavaScript the browser shows the JSON of the answer. */
export function questionForm(site: Site): Markup {
  const { description, examples, maxLength } = askBrand.describe(site.presentation).inputSchema.properties.query ?? {};
  const input = {
    id: 'q',
    name: 'q',
    type: 'search',
    required: true,
    maxlength: Number(maxLength),
    placeholder: Array.isArray(examples) ? String(examples[0]) : undefined,
    toolparamdescription: String(description),
  };
  return html`<form id="ask" method="get" action="${pathOf(askBrand)}"${webMcp(askBrand, site)}>
<div class="ask"><div><label for="q">Tu pregunta</label><input${attributes(input)}></div><button>Preguntar</button></div>
<output aria-live="polite"></output>
</form>`;
}

/** A plain form: the server answers a browser with a page. */
export function diagnosticForm(site: Site): Markup {
  return html`<form method="post" action="${pathOf(requestDiagnostic)}"${webMcp(requestDiagnostic, site)}>
${fields(requestDiagnostic)}
${site.honeypot === undefined ? undefined : trap(site.honeypot)}
<button>Pedir el diagnóstico</button>
</form>`;
}

/** This route takes JSON only, so a script sends it. */
export function partnerForm(site: Site): Markup {
  return html`<form id="partner" method="post" action="${pathOf(applyPartnerProgram)}"${webMcp(applyPartnerProgram, site)}>
${fields(applyPartnerProgram)}
<button>Enviar la candidatura</button>
<output role="status"></output>
<noscript><p class="note">Para enviar este formulario hace falta JavaScript.</p></noscript>
</form>`;
}

/** A field that people do not see and programs fill in. */
const trap = (name: string) =>
  html`<div class="trap" aria-hidden="true"><label>Deja este campo vacío <input name="${name}" tabindex="-1" autocomplete="off"></label></div>`;

/** WebMCP, declarative: a browser's agent may fill the form in; `toolautosubmit` is left out, so a person sends it. */
const webMcp = (tool: Tool, { presentation }: Site) =>
  attributes({ toolname: tool.name, tooldescription: tool.describe(presentation).description });

function pathOf(tool: Tool): string {
  const route = ROUTES.find(row => row.tool === tool);
  if (!route) throw new Error(`${tool.name} has no route`);
  return route.path;
}
