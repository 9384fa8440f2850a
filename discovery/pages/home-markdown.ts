import { LABELS } from '../../rest/form-page.ts';
import { ROUTES } from '../../rest/routes.ts';
import { SERVICE } from '../../tools/service.ts';
import { type Documents, MCP_PATH } from '../documents/document.ts';
import { contactEmail, summary } from '../documents/identity.ts';
import { bullets, page } from '../documents/markdown.ts';
import type { Site } from '../documents/site.ts';

/** The home page as Markdown, for whoever asks for it: the same facts, without controls. */
export function homeMarkdown(site: Site, documents: Documents): string {
  const { baseUrl, brandName, profile } = site;
  const email = contactEmail(site);
  return page(
    ['---', `title: ${JSON.stringify(brandName)}`, `canonical: ${baseUrl}/`, 'lang: es', '---'].join('\n'),
    `# ${brandName}`,
    summary(site),
    '## Pregunta',
    `\`GET ${baseUrl}/ask?q=…\` devuelve las afirmaciones del perfil que mejor responden, palabra por palabra, con los casos en los que se aplican y en los que no. No hay texto generado.`,
    '## Lo que afirmamos',
    bullets((profile?.claims ?? []).slice(0, 20).map(({ claim_id, statement }) => `${statement} (\`${claim_id}\`)`)),
    `Perfil completo, con límites y pruebas: ${baseUrl}/.well-known/brand.json`,
    '## Formularios',
    `Son envíos reales: una persona responde en un plazo de ${SERVICE.replyHours} horas.`,
    bullets(forms(baseUrl)),
    '## Para agentes',
    `Servidor MCP, sin autenticación: ${baseUrl}${MCP_PATH}`,
    bullets(documents.flatMap(({ path, listed }) => (listed ? [`[${listed.title}](${baseUrl}${path})`] : []))),
    ...(email ? [`Contacto: ${email}`] : []),
  );
}

const forms = (baseUrl: string) =>
  ROUTES.filter(({ tool }) => !tool.annotations.readOnlyHint).map(({ method, path, tool }) => {
    const names = Object.keys(tool.inputSchema.properties).map(name => `${name} (${LABELS[name] ?? name})`);
    return `\`${method} ${baseUrl}${path}\`: ${names.join(', ')}`;
  });
