import type { Claim } from '../../brand/profile/schema.ts';
import { formRoutesOf } from '../../rest/routes.ts';
import { type Documents, MCP_PATH } from './document.ts';
import { contactEmail, summary } from './identity.ts';
import { bullets, documentLinks, page } from './markdown.ts';
import { replyText, type Site } from './site.ts';

/** Claims on the home page. */
const CLAIMS = 20;

/** The home page as Markdown. */
export function homeMarkdown(site: Site, documents: Documents): string {
  const { baseUrl, brandName, profile, words, tools } = site;
  const { markdown, ask } = words;
  const email = contactEmail(site);
  const title = JSON.stringify(brandName);
  const forms = formRoutesOf(tools).map(({ path, action }) => {
    return `[${action.wordsIn(words).title}](${baseUrl}${path}): ${replyText(site, action)}`;
  });
  return page(
    ['---', `title: ${title}`, `canonical: ${baseUrl}/`, `lang: ${words.tag}`, '---'].join('\n'),
    `# ${brandName}`,
    summary(site),
    `## ${ask.title}`,
    markdown.ask(`${baseUrl}/ask`),
    `## ${words.page.claims}`,
    ...(site.isExpired() ? [words.page.expired] : []),
    bullets((profile?.claims ?? []).slice(0, CLAIMS).map(claim => claimItem(claim, site))),
    `${markdown.profile} ${baseUrl}/.well-known/brand.json`,
    ...(forms.length > 0 ? [`## ${markdown.forms}`, bullets(forms)] : []),
    `## ${markdown.agents}`,
    `${words.page.mcp} ${baseUrl}${MCP_PATH}`,
    bullets(documentLinks(site, documents, '/index.md')),
    ...(email ? [`${words.page.contact}: ${email}`] : []),
  );
}

/** One claim as a list item, always with its limits. */
function claimItem({ claim_id: id, statement, boundary }: Claim, { words: { match } }: Site): string {
  const applies = `${match.applies}: ${boundary.applicable_for}`;
  const excludes = `${match.excludes}: ${boundary.not_applicable_for}`;
  return `${statement} (\`${id}\`)\n  ${applies} ${excludes}`;
}
