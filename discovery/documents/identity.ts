import { type Action, actionsOf } from '../../tools/actions.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Messages } from '../../tools/words/es.ts';
import type { Site } from './site.ts';

/** What titles say: short, and the name of the software while no profile is loaded. */
export const displayName = ({ presentation }: Pick<Site, 'presentation'>) => presentation.brand ?? SERVICE.title;

/** The domain that the profile speaks for; in production it is the one that is served. */
export function domain({ profile, baseUrl }: Pick<Site, 'profile' | 'baseUrl'>): string {
  return new URL(profile?.url ?? baseUrl).hostname.replace(/[^a-z0-9.-]/gi, '');
}

/** Name of the MCP server in cards and registries: the domain reversed, one slash, the service. */
export function serverName(site: Pick<Site, 'profile' | 'baseUrl'>): string {
  return `${domain(site).split('.').reverse().join('.')}/${SERVICE.name}`;
}

/** Identifier of an entry of the AI catalog. */
export function urn(site: Pick<Site, 'profile' | 'baseUrl'>, namespace: string, name: string): string {
  return `urn:air:${domain(site)}:${namespace}:${name}`;
}

/** One sentence of at most 100 characters, as cards and registries demand. */
export function shortDescription({ brandName, profile }: Pick<Site, 'brandName' | 'profile'>): string {
  const takes = actionsOf(profile).length > 0 ? '; takes requests' : '';
  const about = (name: string) => `Answers about ${name}, verbatim from its brand profile${takes}.`;
  return about(brandName).length <= 100 ? about(brandName) : about('a brand');
}

/** When the profile was issued, which is when its documents last changed. */
export function issuedAt({ profile }: Pick<Site, 'profile'>): Date | undefined {
  return profile && new Date(profile.issued_at);
}

/** What the brand says it is. */
export function summary({ profile, brandName, words, presentation }: Site): string {
  return profile?.description ?? `${brandName}: ${offers(presentation.actions, words)}.`;
}

/** `preguntas, diagnóstico y programa de partners` */
function offers(actions: readonly Action[], words: Messages): string {
  const list = new Intl.ListFormat(words.locale.replace('_', '-'));
  return list.format([words.page.questions, ...actions.map(({ wordsIn }) => wordsIn(words).offer)]);
}

/** The address of the profile, where it has one. */
export function contactEmail({ profile }: Pick<Site, 'profile'>): string | undefined {
  const contact = profile?.contact;
  if (typeof contact !== 'object' || contact === null || !('email' in contact)) return undefined;
  return typeof contact.email === 'string' ? contact.email : undefined;
}

/** The brand as schema.org's Organization. */
export function organization(site: Site): object {
  const email = contactEmail(site);
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: site.brandName,
    url: `${site.baseUrl}/`,
    description: summary(site),
    ...(email && {
      email,
      contactPoint: {
        '@type': 'ContactPoint',
        contactType: 'customer service',
        email,
        availableLanguage: site.presentation.language,
      },
    }),
  };
}
