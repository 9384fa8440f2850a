import { SERVICE } from '../../tools/service.ts';
import { type Documents, MCP_PATH } from '../documents/document.ts';
import { contactEmail, organization, summary } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { diagnosticForm, partnerForm, questionForm } from './forms.ts';
import { cspHash, html, Markup, scriptJson } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';
import { HOME_SCRIPT } from './script.ts';

/** The page runs one script and talks to its own server. Where a form may lead is left open for FORM_THANKS_URL. */
export const HOME_CSP = [
  "default-src 'none'",
  `style-src ${cspHash(PAGE_STYLE)}`,
  `script-src ${cspHash(HOME_SCRIPT)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Claims that the page shows; all of them stand in the profile. */
const SHOWN_CLAIMS = 4;

/** The home page, in Spanish: what the brand stands for, a question box and the two forms. Readable without scripts. */
export function homePage(site: Site, documents: Documents): string {
  const { brandName, profile } = site;
  const { claims = [] } = profile ?? {};
  const shown = claims.slice(0, SHOWN_CLAIMS);
  return html`<!doctype html>
<html lang="es">
${head(site)}
<body>
<header class="top">
<h1>${brandName}</h1>
<p class="lead">${summary(site)}</p>
<nav aria-label="Secciones"><a href="#pregunta">Pregunta</a><a href="#afirmaciones">Lo que afirmamos</a><a href="#diagnostico">Diagnóstico</a><a href="#partners">Partners</a></nav>
</header>
<main>
<section id="pregunta">
<h2>Pregunta</h2>
<p>Escribe tu pregunta y te mostramos las afirmaciones de nuestro perfil que mejor responden, palabra por palabra, con los casos en los que se aplican y en los que no. No hay texto generado.</p>
${questionForm(site)}
</section>
<section id="afirmaciones">
<h2>Lo que afirmamos</h2>
<p>Cada afirmación dice dónde vale y dónde no. Estas son ${shown.length} de las ${claims.length} del <a href="/.well-known/brand.json">perfil completo</a>, con sus pruebas.</p>
${shown.map(claim)}
</section>
<section id="diagnostico">
<h2>Pide un diagnóstico</h2>
<p>Cuéntanos qué quieres resolver. Una persona del equipo te responderá en un plazo de ${SERVICE.replyHours} horas.</p>
${diagnosticForm(site)}
</section>
<section id="partners">
<h2>Programa de partners</h2>
<p>Para agencias y consultores independientes que quieren trabajar con nosotros. También respondemos en ${SERVICE.replyHours} horas.</p>
${partnerForm(site)}
</section>
</main>
${foot(site, documents)}
<script>${new Markup(HOME_SCRIPT)}</script>
</body>
</html>
`.text;
}

function head(site: Site): Markup {
  const { baseUrl, brandName } = site;
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${brandName}</title>
<meta name="description" content="${summary(site)}">
<link rel="canonical" href="${baseUrl}/">
<link rel="alternate" type="text/markdown" href="${baseUrl}/index.md">
<meta property="og:type" content="website">
<meta property="og:title" content="${brandName}">
<meta property="og:description" content="${summary(site)}">
<meta property="og:url" content="${baseUrl}/">
<meta property="og:site_name" content="${brandName}">
<meta property="og:locale" content="es_ES">
<link rel="icon" href="data:,">
<style>${new Markup(PAGE_STYLE)}</style>
<script type="application/ld+json">${scriptJson(organization(site))}</script>
</head>`;
}

function claim({ statement, boundary }: NonNullable<Site['profile']>['claims'][number]): Markup {
  return html`<div class="claim"><p>${statement}</p>
<dl><dt>Se aplica a</dt><dd>${boundary.applicable_for}</dd><dt>No se aplica a</dt><dd>${boundary.not_applicable_for}</dd></dl></div>`;
}

function foot(site: Site, documents: Documents): Markup {
  const email = contactEmail(site);
  const listed = documents.flatMap(({ path, listed }) => (listed ? [{ path, title: listed.title }] : []));
  return html`<footer>
${email && html`<p>Contacto: <a href="mailto:${email}">${email}</a></p>`}
<p>Para agentes y programas: servidor MCP en <code>${site.baseUrl}${MCP_PATH}</code>, sin autenticación. ${listed.map(({ path, title }, index) => html`${index > 0 ? ' · ' : ''}<a href="${path}">${title}</a>`)}</p>
</footer>`;
}
