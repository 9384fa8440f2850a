import * as z from 'zod';
import { Color, type Profile } from '../../brand/profile/schema.ts';

const Shown = Color.optional().catch(undefined);
const Colors = z
  .object({ primary: Shown, accent: Shown, background: Shown, text: Shown })
  .catch({ primary: undefined, accent: undefined, background: undefined, text: undefined });

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

const NAMES = ['paper', 'card', 'ink', 'soft', 'line', 'accent', 'on-accent', 'warn'] as const;

const LIGHT = { paper: '#fbfaf7', card: '#ffffff', ink: '#1d252f', soft: '#57616e', line: '#dfdcd3', warn: '#9b2c1d' };
const DARK = { paper: '#11151a', card: '#181e25', ink: '#e7eaee', soft: '#a3adb9', line: '#303943', warn: '#ff9d8c' };
const ACCENT = '#0a5f57';

/** Contrast of text and of what it stands on (WCAG 2.2, 1.4.3, level AA); on dark paper a mid tone at AA looks dull. */
const READABLE = 4.5;
const READABLE_ON_DARK = 7;

/**
 * A brand's `colors` (AdCP), as a profile or a draft has them, in both schemes. A colour that could not be read is moved towards black or white until it
 * can; a background that is no paper, and a text that is no ink on it, are left out.
 */
export function palettes(colors: unknown): { readonly light: Palette; readonly dark: Palette } {
  const { primary, accent = primary ?? ACCENT, background, text } = Colors.parse(colors);
  const paper = background && contrast(background, '#000000') > 15 ? background : LIGHT.paper;
  const ink = text && contrast(text, paper) >= 7 ? text : LIGHT.ink;
  return {
    light: palette({ ...LIGHT, paper, ink }, { brand: primary ?? accent, towards: '#000000', least: READABLE }),
    dark: palette(DARK, { brand: primary ?? accent, towards: '#ffffff', least: READABLE_ON_DARK }),
  };
}

interface Accent {
  readonly brand: string;
  /** Black or white, whichever makes it readable. */
  readonly towards: string;
  readonly least: number;
}

function palette(base: Omit<Palette, 'accent' | 'on-accent'>, wanted: Accent): Palette {
  const accent = readable(wanted, [base.paper, base.card]);
  const onAccent = contrast(accent, '#ffffff') >= READABLE ? '#ffffff' : '#10151b';
  return { ...base, accent, 'on-accent': onAccent };
}

function readable({ brand, towards, least }: Accent, grounds: readonly string[]): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(brand, towards, share);
    if (grounds.every(ground => contrast(mixed, ground) >= least)) return mixed;
  }
  return towards;
}

const channels = (color: string) => [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));

function mix(color: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(color).map((value, index) => Math.round(value + ((others[index] ?? 0) - value) * share));
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`;
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

/**
 * The palettes as rules, for a page and for the shadow root of /embed.js. The element stands on the ground of another site:
 * it is dark where that page's own `color-scheme` is, and light where a browser has no `light-dark()` (CSS Color 5, before 2024).
 */
export function themeRules(colors: unknown): string {
  const { light, dark } = palettes(colors);
  const written = (value: (name: keyof Palette) => string) => NAMES.map(name => `--${name}:${value(name)}`).join(';');
  return `:root{color-scheme:light dark}:root,:host{${written(name => light[name])}}
@media screen and (prefers-color-scheme:dark){:root{${written(name => dark[name])}}}
@media screen{@supports(color:light-dark(red,red)){:host{${written(name => `light-dark(${light[name]},${dark[name]})`)}}}}`;
}

/** The brand's mark for light and for dark paper (AdCP `logos`); what is for any paper serves for both. */
export function logos(profile: Profile | undefined): { light?: string | undefined; dark?: string | undefined } {
  const found = Logos.parse(profile?.logos);
  const any = found.find(({ background }) => background !== 'dark-bg' && background !== 'light-bg')?.url;
  const on = (ground: string) => found.find(({ background }) => background === ground)?.url ?? any;
  const light = on('light-bg');
  return { light, dark: on('dark-bg') ?? light };
}
