import * as z from 'zod';
import type { Profile } from '../../brand/profile/schema.ts';
import type { Site } from '../documents/site.ts';
import { brandColours } from './colours.ts';
import { html, type Markup } from './html.ts';

const Logos = z
  .array(
    z.object({
      url: z.string().regex(/^(https?:\/\/[^\s"'<>;,]+|data:image\/[\w+.-]+[;,]\S+)$/),
      background: z.string().optional(),
    }),
  )
  .catch([]);

/** A logo made of pixels: previews of a link show it, and many show no SVG. */
export const previewLogo = (profile: Profile | undefined): string | undefined =>
  logosOf(profile).find(({ url }) => /^https?:.*\.(png|jpe?g|webp)([?#]|$)/i.test(url))?.url;

/** Logos whose address a browser can read (a port over 65535 cannot be). */
const logosOf = (profile: Profile | undefined) =>
  Logos.parse(profile?.logos).filter(({ url }) => URL.canParse(url));

/** The brand's logo for light and for dark paper (AdCP `logos`); `plated` where there is none for dark. */
export function logos(profile: Profile | undefined) {
  const all = logosOf(profile);
  const any = all.find(({ background }) => background !== 'dark-bg' && background !== 'light-bg')?.url;
  const on = (ground: string) => all.find(({ background }) => background === ground)?.url;
  const light = on('light-bg') ?? any;
  return { light, dark: on('dark-bg') ?? light, plated: on('dark-bg') === undefined };
}

/** The brand's logo where its profile has one, else its initial on its colour, and its name. */
export function mark({ brandName, profile }: Pick<Site, 'brandName' | 'profile'>): Markup {
  const { light, dark, plated } = logos(profile);
  if (light === undefined)
    return html`<img src="${ICON_PATH}" alt="" width="36" height="36"><span>${brandName}</span>`;
  const darkSource = dark !== light && html`<source srcset="${dark}" media="(prefers-color-scheme: dark)">`;
  return html`<picture>
${darkSource}
<img src="${light}" alt="${brandName}"${plated && html` class="plate"`}>
</picture>`;
}

export const ICON_PATH = '/aval/icon.svg';

/** The initial of the brand on its colour, as SVG: the icon of the window, and the mark of a brand without a logo. */
export function iconSvg({ brandName, profile }: Pick<Site, 'brandName' | 'profile'>): string {
  const { primary, onPrimary } = brandColours(profile?.colors);
  const initial = (/[\p{L}\p{N}]/u.exec(brandName)?.[0] ?? '·').toLocaleUpperCase();
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${primary}"/><text x="16" y="22.5" text-anchor="middle" font-family="Arial,sans-serif" font-size="18" font-weight="700" fill="${onPrimary}">${initial}</text></svg>`
    .text;
}

/** The same as an address that needs no request, for clients of MCP. */
export const icon = (site: Pick<Site, 'brandName' | 'profile'>): string =>
  `data:image/svg+xml,${encodeURIComponent(iconSvg(site))}`;
