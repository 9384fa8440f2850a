import * as z from 'zod';
import { parseUrl } from '../../brand/profile/web-address.ts';
import type { Site } from '../documents/site.ts';
import { brandColours } from './colours.ts';
import { html, type Markup } from './html.ts';

type Branded = Pick<Site, 'brandName' | 'profile'>;

/** Logos whose address a browser can read (a port over 65535 cannot be). */
const Logos = z
  .array(
    z.object({
      url: z
        .string()
        .regex(/^(https?:\/\/[^\s"'<>;,]+|data:image\/[\w+.-]+[;,]\S+)$/)
        .refine(url => parseUrl(url) !== undefined),
      background: z.string().optional(),
    }),
  )
  .catch([]);

/** The brand's logos (AdCP `logos`). */
export const logosOf = ({ profile }: Pick<Site, 'profile'>) => Logos.parse(profile?.logos);

/** A logo that is no SVG, for previews of links: many show no SVG. */
export const previewLogo = (site: Pick<Site, 'profile'>): string | undefined =>
  logosOf(site).find(({ url }) => /^https?:.*\.(png|jpe?g|webp)([?#]|$)/i.test(url))?.url;

/** The brand's logo (light and dark), or else its initial on its colour; then its name. */
export function mark(site: Branded): Markup {
  const logos = logosOf(site);
  const dark = logos.find(({ background }) => background === 'dark-bg');
  const light =
    logos.find(({ background }) => background === 'light-bg') ?? logos.find(logo => logo !== dark);
  const logo = light ?? dark;
  if (logo === undefined)
    return html`<img src="${ICON_PATH}" alt="" width="36" height="36"><span>${site.brandName}</span>`;
  const source = dark && html`<source srcset="${dark.url}" media="(prefers-color-scheme: dark)">`;
  return html`<picture>
${source}
<img src="${logo.url}" alt="${site.brandName}"${dark === undefined && html` class="plate"`}>
</picture>`;
}

export const ICON_PATH = '/aval/icon.svg';

/** The brand's initial on its colour, as SVG: icon of the window, and mark of a brand without a logo. */
export function iconSvg({ brandName, profile }: Branded): string {
  const { primary, onPrimary } = brandColours(profile?.colors);
  const initial = (/[\p{L}\p{N}]/u.exec(brandName)?.[0] ?? '·').toLocaleUpperCase();
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="${primary}"/>
<text x="16" y="22.5" text-anchor="middle" font-family="Arial,sans-serif" font-size="18" font-weight="700"
fill="${onPrimary}">${initial}</text>
</svg>`.text;
}

/** The same SVG as a `data:` address, for MCP clients. */
export const icon = (site: Branded): string => `data:image/svg+xml,${encodeURIComponent(iconSvg(site))}`;
