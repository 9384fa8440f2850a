import * as z from 'zod';
import { Color } from '../../brand/profile/schema.ts';

const Shown = Color.optional().catch(undefined);
const Colors = z.object({ primary: Shown, accent: Shown }).catch({});

/** The colour of a brand without colours. */
const PRIMARY = '#0a5f57';

/** The light surface of page.css, before CSS mixes in the brand's colour. */
const LIGHT_SURFACE = '#f6f6f6';
const DARK_SURFACE = '#24262a';

/** Level AA for text (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;

/**
 * Chooses from the brand's `colors` (AdCP) by contrast, which CSS cannot compute.
 * @returns CSS colours. `primary` fills buttons and the mark; `onPrimary`, black or white, is the text on it.
 * `link`, on light and on dark surfaces, is `primary` or `accent` if readable there; else the text's colour,
 * or on dark a tint of `primary`
 */
export function brandColours(colors: unknown): { primary: string; onPrimary: string; link: string } {
  const { primary: brandPrimary, accent } = Colors.parse(colors);
  const primary = brandPrimary ?? accent ?? PRIMARY;
  const onPrimary = contrast(primary, '#ffffff') >= contrast(primary, '#000000') ? '#ffffff' : '#000000';
  const readableOn = (surface: string) =>
    [primary, accent].find(color => color !== undefined && contrast(color, surface) >= READABLE);
  const light = readableOn(LIGHT_SURFACE) ?? 'var(--ink)';
  const dark = readableOn(DARK_SURFACE) ?? 'color-mix(in srgb,var(--primary) 40%,#fff)';
  return { primary, onPrimary, link: `light-dark(${light},${dark})` };
}

/** Contrast ratio of two colours `#rrggbb`, 1 to 21 (WCAG 2.2, definitions). */
function contrast(color: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(color), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(index => {
    const channel = Number.parseInt(color.slice(index, index + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
