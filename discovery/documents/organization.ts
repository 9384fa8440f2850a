import { SERVICE } from '../../tools/service.ts';
import type { Site } from './site.ts';

/** What the brand says it is. */
export function summary({ profile, brandName }: Site): string {
  return profile.description ?? `${brandName}: preguntas, diagnóstico y programa de partners.`;
}

/** The address of the profile, where it has one. */
export function contactEmail({ profile: { contact } }: Site): string | undefined {
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
        availableLanguage: site.profile.language,
        description: `Respuesta en un plazo de ${SERVICE.replyHours} horas.`,
      },
    }),
  };
}
