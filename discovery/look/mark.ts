import type { Site } from '../documents/site.ts';
import { html, type Markup } from './html.ts';
import { logos, palettes } from './theme.ts';

/** The brand's logo where its profile has one, else its initial on its colour and its name. */
export function mark({ brandName, profile }: Pick<Site, 'brandName' | 'profile'>): Markup {
  const { light, dark, plated } = logos(profile);
  if (light === undefined) {
    return html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><text x="16" y="22.5" text-anchor="middle" font-size="18" font-weight="700" fill="var(--on-accent)">${initial(brandName)}</text></svg><span>${brandName}</span>`;
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

/** What previews of a link show: the initial on the brand's colour, its name and its sentence, 1200 × 630 (Open Graph). */
export function sharePicture(site: Pick<Site, 'brandName' | 'profile'>, sentence: string): string {
  const { accent, 'on-accent': on, sunken } = palettes(site.profile?.colors).light;
  const lines = wrapped(sentence, 48).slice(0, 4);
  const text = lines.map((line, at) => html`<tspan x="90" y="${430 + at * 46}">${line}</tspan>`);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630" font-family="Helvetica,Arial,sans-serif"><rect width="1200" height="630" fill="${sunken}"/><rect x="90" y="90" width="132" height="132" rx="30" fill="${accent}"/><text x="156" y="183" font-size="78" font-weight="700" text-anchor="middle" fill="${on}">${initial(site.brandName)}</text><text x="86" y="346" font-size="88" font-weight="700" letter-spacing="-3" fill="#12161c">${site.brandName}</text><text font-size="34" fill="#4a5055">${text}</text></svg>
`.text;
}

/** A text in lines of at most so many characters, cut between words. */
function wrapped(text: string, most: number): string[] {
  return text.split(/\s+/).reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
    return lines;
  }, []);
}
