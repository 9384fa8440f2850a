import type { Site } from '../documents/site.ts';
import { html, type Markup } from './html.ts';
import { logos, palettes } from './theme.ts';

/** The brand's logo where its profile has one, else its initial on its colour and its name. Where the name is the heading, the initial alone. */
export function mark({ brandName, profile }: Pick<Site, 'brandName' | 'profile'>, withName: boolean): Markup {
  const { light, dark, plated } = logos(profile);
  if (light === undefined) {
    return html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><text x="16" y="22.5" text-anchor="middle" font-size="18" font-weight="700" fill="var(--on-accent)">${initial(brandName)}</text></svg><span${!withName && html` class="trap"`}>${brandName}</span>`;
  }
  const other = dark !== light && html`<source srcset="${dark}" media="(prefers-color-scheme: dark)">`;
  return html`<picture>${other}<img src="${light}" alt="${brandName}"${plated && html` class="plate"`}></picture>`;
}

/** The same initial as the icon of the window, in the page itself: no second request. */
export function icon({ brandName, profile }: Pick<Site, 'brandName' | 'profile'>): string {
  const { accent, 'on-accent': on } = palettes(profile?.colors).light;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><text x="16" y="22.5" text-anchor="middle" font-family="Arial,sans-serif" font-size="18" font-weight="700" fill="${on}">${initial(brandName)}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg.text)}`;
}

/** The first letter or figure of a name. */
export const initial = (name: string): string => (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·').toLocaleUpperCase();
