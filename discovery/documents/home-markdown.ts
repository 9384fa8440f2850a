import type { Claim } from '../../brand/profile/schema.ts';
import { routesOf } from '../../rest/routes.ts';
import { wordFor } from '../../tools/words/language.ts';
import { type Documents, MCP_PATH } from './document.ts';
import { hasActions } from './guidance.ts';
import { contactEmail, summary } from './identity.ts';
import { bullets, documentLinks, page } from './markdown.ts';
import type { Site } from './site.ts';

/** The home page as Markdown, for whoever asks for it: the same facts, without controls. */
export function homeMarkdown(site: Site, documents: Documents): string {
  const { baseUrl, brandName, profile, words } = site;
  const { markdown, ask } = words;
  const email = contactEmail(site);
  return page(
    [
      '---',
      `title: ${JSON.stringify(brandName)}`,
      `canonical: ${baseUrl}/`,
      `lang: ${words.tag}`,
      '---',
    ].join('\n'),
    `# ${brandName}`,
    summary(site),
    `## ${ask.title}`,
    markdown.ask(`${baseUrl}/ask`),
    `## ${words.page.claims}`,
    ...(site.isExpired() ? [words.page.expired] : []),
    bullets((profile?.claims ?? []).slice(0, 20).map(claim => claimLine(claim, site))),
    `${markdown.profile} ${baseUrl}/.well-known/brand.json`,
    ...(hasActions(site) ? [`## ${markdown.forms}`, ...real(site), bullets(forms(site))] : []),
    `## ${markdown.agents}`,
    `${words.page.mcp} ${baseUrl}${MCP_PATH}`,
    bullets(documentLinks(site, documents, '/index.md', words)),
    ...(email ? [`${words.page.contact}: ${email}`] : []),
  );
}

/** A claim is never quoted without its limits. */
function claimLine({ claim_id, statement, boundary }: Claim, { words: { match } }: Site): string {
  const limits = [
    `${match.applies}: ${boundary.applicable_for}`,
    `${match.excludes}: ${boundary.not_applicable_for}`,
  ];
  return `${statement} (\`${claim_id}\`)\n  ${limits.join(' ')}`;
}

const real = ({ mode, words }: Site) => [mode === 'production' ? words.markdown.real : words.trial];

const forms = ({ baseUrl, mode, words, tools }: Site) =>
  routesOf(tools)
    .filter(({ tool }) => tool.submits)
    .map(({ method, path, tool }) => {
      const names = Object.keys(tool.input.shape).map(
        name => `${name} (${wordFor(words.fields, name) ?? name})`,
      );
      const reply = mode === 'production' && tool.submits ? `. ${words.reply(tool.submits.replyHours)}` : '';
      return `\`${method} ${baseUrl}${path}\`: ${names.join(', ')}${reply}`;
    });
