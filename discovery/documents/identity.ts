import { parseUrl } from '../../brand/profile/web-address.ts';
import { actionsIn, type Site } from './site.ts';

/** The profile's domain. In production the server has the same. */
export function domain({ profile, baseUrl }: Pick<Site, 'profile' | 'baseUrl'>): string {
  return new URL(profile?.url ?? baseUrl).hostname.replace(/[^a-z0-9.-]/gi, '');
}

/** A description of at most 100 characters, the bound of the cards. */
export function shortDescription({ brandName, tools }: Pick<Site, 'brandName' | 'tools'>): string {
  const takes = actionsIn(tools).length > 0 ? '; takes requests' : '';
  const about = (name: string) => `Answers about ${name}, verbatim from its brand profile${takes}.`;
  return about(brandName).length <= 100 ? about(brandName) : about('a brand');
}

/** When the profile was issued: the Last-Modified of its documents. */
export function issuedAt({ profile }: Pick<Site, 'profile'>): Date | undefined {
  return profile && new Date(profile.issued_at);
}

/** The brand's own description; without one, what can be done here. */
export const summary = ({ profile, words }: Site): string => profile?.description ?? words.ask.blank;

/** The e-mail address in the profile. Undefined if it has none. */
export function contactEmail({ profile }: Pick<Site, 'profile'>): string | undefined {
  const contact = profile?.contact;
  if (typeof contact !== 'object' || contact === null || !('email' in contact)) return undefined;
  return typeof contact.email === 'string' ? contact.email : undefined;
}

/** The brand as an Organization of schema.org: website, logos, accounts. */
export function organization(site: Site): object {
  const { profile } = site;
  const email = contactEmail(site);
  const availableLanguage = profile?.language;
  const contactPoint = { '@type': 'ContactPoint', contactType: 'customer service', email, availableLanguage };
  return {
    ...brandThing(site),
    description: profile?.description,
    ...(email && { email, contactPoint }),
  };
}

/** The brand as the author or publisher inside another object of schema.org. */
export function brandThing({ brandName, profile, baseUrl }: Site): object {
  const logo = addressesIn(profile?.logos).find(url => url.startsWith('http'));
  const sameAs = addressesIn(profile?.same_as ?? profile?.sameAs);
  return {
    '@type': 'Organization',
    name: brandName,
    url: profile?.url ?? `${baseUrl}/`,
    ...(logo && { logo }),
    ...(sameAs.length > 0 && { sameAs }),
  };
}

/** The addresses in a list of addresses, or of objects with a `url`. */
function addressesIn(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list
    .map(item => (typeof item === 'object' && item !== null && 'url' in item ? item.url : item))
    .filter(url => typeof url === 'string' && parseUrl(url) !== undefined);
}
