import * as z from 'zod';
import { Color, type Profile } from '../../brand/profile/schema.ts';
import type { Site } from '../documents/site.ts';
import { html, type Markup } from './html.ts';

const Shown = Color.optional().catch(undefined);
const Colors = z.object({ primary: Shown, accent: Shown, background: Shown, text: Shown });

const Logos = z
  .array(
    z.object({
      url: z.string().regex(/^(https?:\/\/[^\s"'<>;,]+|data:image\/[\w+.-]+[;,]\S+)$/),
      background: z.string().optional(),
    }),
  )
  .catch([]);

/** The colours of one scheme, as custom properties of the style sheet. */
type Palette = Readonly<Record<(typeof NAMES)[number], string>>;

const NAMES = [
  'paper',
  'card',
  'sunken',
  'ink',
  'soft',
  'line',
  'edge',
  'accent',
  'label',
  'tint',
  'warn',
] as const;

const ACCENT = '#0a5f57';

/** Least contrast of an accent with its ground: level AA on light paper (WCAG 2.2, 1.4.3), more on dark, where AA looks dull. */
const READABLE = 4.5;
/** Least contrast of the outline of a field with its ground (WCAG 2.2, 1.4.11). */
const OUTLINE = 3;
/** Least contrast of text: level AAA (WCAG 2.2, 1.4.6). */
const TEXT = 7;

/**
 * A brand's `colors` (AdCP) in both schemes; a profile or a draft may lack any of them. Neutral tones take a little of the
 * brand's hue. An accent that could not be read moves towards black or white until it can. A background that is no paper
 * is left out, and so is a text that is no ink on it.
 */
export function palettes(colors: unknown): { readonly light: Palette; readonly dark: Palette } {
  const { primary, accent = primary ?? ACCENT, background, text } = Colors.safeParse(colors).data ?? {};
  const brand = primary ?? accent;
  const paper = background && contrast(background, '#000000') > 15 ? background : mix('#ffffff', brand, 0.02);
  const ink = text && contrast(text, paper) >= TEXT ? text : mix('#12161c', brand, 0.06);
  return {
    light: palette(
      { paper, ink, card: '#ffffff', warn: '#9b2c1d' },
      { brand, towards: '#000000', least: READABLE },
    ),
    dark: palette(
      {
        paper: mix('#0c0e10', brand, 0.05),
        ink: '#eef1f4',
        card: mix('#16191b', brand, 0.08),
        warn: '#ff9d8c',
      },
      { brand, towards: '#ffffff', least: TEXT },
    ),
  };
}

interface Accent {
  readonly brand: string;
  /** Black or white, whichever makes it readable. */
  readonly towards: string;
  readonly least: number;
}

function palette(
  base: Pick<Palette, 'paper' | 'card' | 'ink' | 'warn'>,
  { brand, towards, least }: Accent,
): Palette {
  const { paper, card, ink } = base;
  const sunken = mix(paper, brand, towards === '#ffffff' ? 0.08 : 0.06);
  const line = mix(paper, ink, 0.16);
  const tint = mix(card, readable(brand, towards, { grounds: [card], least }), 0.1);
  const grounds = [paper, card, sunken, tint];
  const accent = readable(brand, towards, { grounds, least });
  const soft = readable(mix(ink, paper, 0.32), ink, { grounds: [paper, card, sunken], least: TEXT });
  const edge = readable(mix(ink, paper, 0.55), ink, { grounds: [paper, card, sunken], least: OUTLINE });
  const label = contrast(accent, '#ffffff') >= READABLE ? '#ffffff' : '#10151b';
  return { ...base, sunken, line, edge, tint, soft, accent, label };
}

function readable(color: string, towards: string, on: { grounds: readonly string[]; least: number }): string {
  const vivid = towards === '#ffffff' ? brightest(color) : color;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(mix(color, vivid, share), towards, share ** 1.5);
    if (on.grounds.every(ground => contrast(mixed, ground) >= on.least)) return mixed;
  }
  return towards;
}

/** The same hue as bright as a screen shows it: white alone would make a colour look switched off. */
function brightest(color: string): string {
  const most = Math.max(1, ...channels(color));
  return written(channels(color).map(value => (value * 255) / most));
}

const written = (channels: readonly number[]) =>
  `#${channels.map(value => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

const channels = (color: string) => [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));

function mix(color: string, other: string, share: number): string {
  const others = channels(other);
  return written(channels(color).map((value, index) => value + ((others[index] ?? 0) - value) * share));
}

/** Contrast ratio, 1 to 21 (WCAG 2.2, definitions). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** What a site may set on an element of /embed.js, by the property that it takes the place of. */
const TOKENS: Partial<Palette> = {
  ...{ accent: 'color', label: 'on-color', card: 'surface', ink: 'text', soft: 'text', edge: 'text' },
};

/** Where a site sets the surface or the text of an element, the tones between follow. */
const BETWEEN = { sunken: 'var(--ink) 6%', line: 'var(--ink) 18%', tint: 'var(--accent) 11%' };

/**
 * The palettes as rules: for a page, and for the box inside an element of /embed.js. The element brings its own surface, so
 * it can be read on any page. It is dark where that page's own `color-scheme` is, and light where a browser has no
 * `light-dark()` (CSS Color 5, before 2024).
 */
export function themeOf(colors: unknown): Readonly<Record<'page' | 'embed', string>> {
  const { light, dark } = palettes(colors);
  const written = (value: (name: keyof Palette) => string) =>
    NAMES.map(name => `--${name}:${value(name)}`).join(';');
  const token = (name: keyof Palette, value: string) =>
    TOKENS[name] ? `var(--aval-${TOKENS[name]},${value})` : value;
  const between = Object.entries(BETWEEN).map(
    ([name, part]) => `--${name}:color-mix(in srgb,${part},var(--card))`,
  );
  return {
    page: `:root{color-scheme:light dark;${written(name => light[name])}}
@media screen and (prefers-color-scheme:dark){:root{${written(name => dark[name])}}}
`,
    embed: `.aval{${written(name => token(name, light[name]))}}
@media screen{@supports(color:light-dark(red,red)){.aval{${written(name => token(name, `light-dark(${light[name]},${dark[name]})`))};${between.join(';')}}}}
`,
  };
}

/** A logo made of pixels: previews of a link show it, and many show no SVG. */
export const previewLogo = (profile: Profile | undefined): string | undefined =>
  Logos.parse(profile?.logos).find(({ url }) => /^https?:.*\.(png|jpe?g|webp)([?#]|$)/i.test(url))?.url;

/** The brand's mark for light and for dark paper (AdCP `logos`); `plated` where there is none for dark. */
export function logos(profile: Profile | undefined) {
  const found = Logos.parse(profile?.logos);
  const any = found.find(({ background }) => background !== 'dark-bg' && background !== 'light-bg')?.url;
  const on = (ground: string) => found.find(({ background }) => background === ground)?.url;
  const light = on('light-bg') ?? any;
  return { light, dark: on('dark-bg') ?? light, plated: on('dark-bg') === undefined };
}

/** The brand's logo where its profile has one, else its initial on its colour and its name. Where the name is the heading, the initial alone. */
export function mark({ brandName, profile }: Pick<Site, 'brandName' | 'profile'>, withName: boolean): Markup {
  const { light, dark, plated } = logos(profile);
  if (light === undefined)
    return html`<img src="${icon({ brandName, profile })}" alt=""><span${!withName && html` class="trap"`}>${brandName}</span>`;
  const other = dark !== light && html`<source srcset="${dark}" media="(prefers-color-scheme: dark)">`;
  return html`<picture>${other}<img src="${light}" alt="${brandName}"${plated && html` class="plate"`}></picture>`;
}

/** The initial as a picture in the page itself, which is the icon of the window too: no second request. */
export function icon({ brandName, profile }: Pick<Site, 'brandName' | 'profile'>): string {
  const { accent, label } = palettes(profile?.colors).light;
  const initial = (/[\p{L}\p{N}]/u.exec(brandName)?.[0] ?? '·').toLocaleUpperCase();
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><text x="16" y="22.5" text-anchor="middle" font-family="Arial,sans-serif" font-size="18" font-weight="700" fill="${label}">${initial}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg.text)}`;
}
