import { PROFILE_SCHEMA_PATH, profileJsonSchema } from '../brand/profile/json-schema.ts';
import { agentCard } from './documents/agent-card.ts';
import { AGENTS_PATH, agentsMd } from './documents/agents-md.ts';
import { aiCatalog } from './documents/ai-catalog.ts';
import { API_CATALOG_PATH, apiCatalog } from './documents/api-catalog.ts';
import type { Documents, PublishedDocument } from './documents/document.ts';
import { homeMarkdown } from './documents/home-markdown.ts';
import { LLMS_PATH, llmsTxt } from './documents/llms-txt.ts';
import { serverCard, serverCardSuperset } from './documents/server-card.ts';
import type { Site } from './documents/site.ts';
import { robotsTxt, securityTxt, sitemap } from './documents/site-files.ts';
import { SKILLS, skillsIndex } from './documents/skills.ts';
import { openapi } from './openapi/openapi.ts';
import { embedScript, pageScript, pageStyle, SCRIPT_PATH, STYLE_PATH } from './pages/assets.ts';
import { claimPath } from './pages/claim.ts';
import { claimPage, claimsPage } from './pages/claims.ts';
import { docsPage } from './pages/docs-page.ts';
import { policy } from './pages/frame.ts';
import { homePage } from './pages/home.ts';
import { ICON_PATH, iconSvg } from './pages/mark.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json';

/** Every published resource, in the order in which the documents list them. */
export const DOCUMENTS: Documents = [
  {
    path: '/',
    contentType: HTML,
    alternate: { contentType: MARKDOWN, build: homeMarkdown },
    build: homePage,
    headers: policy,
    localized: true,
    feature: 'home',
    needs: ['profile'],
  },
  {
    path: '/claims',
    contentType: HTML,
    build: claimsPage,
    headers: policy,
    localized: true,
    feature: 'claims',
    needs: ['profile'],
    listing: { title: 'Claims', note: 'every claim with its boundary and proofs, for people' },
  },
  {
    path: '/index.md',
    contentType: MARKDOWN,
    build: homeMarkdown,
    localized: true,
    feature: 'home',
    needs: ['profile'],
    link: { rel: 'alternate', of: '/' },
  },
  {
    path: '/docs',
    contentType: HTML,
    build: docsPage,
    headers: policy,
    localized: true,
    feature: 'docs',
    link: { rel: 'service-doc' },
    listing: { title: 'Documentation', note: 'AGENTS.md as a page, for people' },
  },
  { path: STYLE_PATH, contentType: 'text/css; charset=utf-8', build: pageStyle },
  { path: SCRIPT_PATH, contentType: SCRIPT, build: pageScript },
  { path: ICON_PATH, aliases: ['/favicon.ico'], contentType: 'image/svg+xml', build: iconSvg },
  { path: '/embed.js', contentType: SCRIPT, build: embedScript, feature: 'embed' },
  {
    path: '/openapi.json',
    contentType: JSON_TYPE,
    alternate: { contentType: 'application/vnd.oai.openapi+json;version=3.1' },
    build: openapi,
    link: { rel: 'service-desc' },
    listing: { title: 'OpenAPI description', note: 'the HTTP API as OpenAPI 3.1' },
  },
  {
    path: API_CATALOG_PATH,
    contentType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    build: apiCatalog,
    // RFC 9727, 3 demands it on HEAD, so PUBLISH_OFF=links does not remove it.
    headers: { link: `<${API_CATALOG_PATH}>; rel="api-catalog"` },
    link: { rel: 'api-catalog' },
    listing: { title: 'API catalog', note: 'the APIs with what describes them (RFC 9727)' },
  },
  {
    path: '/.well-known/ai-catalog.json',
    contentType: 'application/ai-catalog+json',
    alternate: { contentType: JSON_TYPE },
    build: aiCatalog,
    link: { rel: 'ai-catalog' },
    listing: { title: 'AI catalog', note: 'everything an agent can use here' },
  },
  {
    path: '/mcp/server-card',
    contentType: 'application/mcp-server-card+json',
    build: serverCard,
    // SEP-2127 (CORS) demands these on the response too, not only on a preflight.
    headers: {
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Content-Type, If-None-Match',
    },
    feature: 'server-card',
    listing: { title: 'MCP server card', note: 'address, versions and purpose of the MCP server (SEP-2127)' },
  },
  {
    path: '/.well-known/mcp/server-card.json',
    aliases: ['/.well-known/mcp.json', '/.well-known/mcp'],
    contentType: JSON_TYPE,
    alternate: { contentType: 'application/mcp-server-card+json' },
    build: serverCardSuperset,
    listing: { title: 'MCP discovery', note: 'the server card with tools and transport' },
  },
  {
    path: '/.well-known/agent-card.json',
    contentType: JSON_TYPE,
    alternate: { contentType: 'application/a2a-agent-card+json' },
    build: agentCard,
    listing: { title: 'Agent card', note: 'the read-only A2A agent' },
  },
  {
    path: '/.well-known/agent-skills/index.json',
    contentType: JSON_TYPE,
    alternate: { contentType: 'application/agent-skills+json' },
    build: skillsIndex,
    listing: { title: 'Agent skills', note: 'the skills with their digests' },
  },
  ...SKILLS,
  {
    path: '/.well-known/brand.json',
    contentType: JSON_TYPE,
    build: ({ profileBytes }) => profileBytes,
    needs: ['profile'],
    link: { rel: 'describedby', of: '/ask' },
    listing: { title: 'Brand profile', note: 'claims, boundaries and proofs; what /ask answers from' },
  },
  {
    path: PROFILE_SCHEMA_PATH,
    // A profile names its schema as ./schemas/…: editors find it in the folder, readers beside brand.json.
    aliases: [`/.well-known${PROFILE_SCHEMA_PATH}`],
    contentType: 'application/schema+json',
    build: () => JSON.stringify(profileJsonSchema(), null, 2),
    listing: { title: 'Schema of the profile', note: 'the format of brand.json as JSON Schema' },
  },
  {
    path: '/.well-known/jwks.json',
    contentType: 'application/jwk-set+json',
    build: ({ jwks }) => jwks,
    feature: 'jwks',
    needs: ['jwks'],
    listing: { title: 'Public keys', note: 'to verify the signature of the brand profile' },
  },
  {
    path: LLMS_PATH,
    contentType: TEXT,
    build: llmsTxt,
    link: { rel: 'describedby' },
    listing: { title: 'llms.txt', note: 'what this is, with links' },
  },
  {
    path: AGENTS_PATH,
    aliases: ['/agents.md'],
    contentType: MARKDOWN,
    build: agentsMd,
    listing: { title: 'AGENTS.md', note: 'all an agent needs on one page' },
  },
  { path: '/robots.txt', contentType: TEXT, build: robotsTxt, feature: 'robots' },
  {
    path: '/sitemap.xml',
    contentType: 'application/xml',
    build: sitemap,
    feature: 'sitemap',
    link: { rel: 'sitemap' },
  },
  {
    path: '/.well-known/security.txt',
    contentType: TEXT,
    build: securityTxt,
    expires: true,
    feature: 'security',
    needs: ['profile', 'securityContact'],
  },
];

/** The page of a claim. Undefined if the profile has no such claim. */
export function claimDocument(id: string, { profile }: Site): PublishedDocument | undefined {
  if (!profile?.claims.some(({ claim_id }) => claim_id === id)) return undefined;
  return {
    path: claimPath(id),
    contentType: HTML,
    build: site => claimPage(site, id),
    headers: policy,
    localized: true,
  };
}
