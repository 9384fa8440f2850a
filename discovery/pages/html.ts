/** HTML that is not escaped again. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Markup | string | number | false | undefined | readonly (Markup | false)[];

/**
 * A template. It escapes values that are not `Markup`, and leaves out `undefined` and `false`.
 * @example html`<p>${'a < b'}</p>`.text // <p>a &#60; b</p>
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(strings.map((text, index) => text + rendered(values[index])).join(''));
}

function rendered(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  return typeof value === 'object' ? value.map(rendered).join('') : escaped(String(value));
}

/** Attributes with a leading space. `true` makes one without value; `undefined` and `false` leave it out. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): Markup {
  const written = Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return '';
    return value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`;
  });
  return new Markup(written.join(''));
}

/** A button that copies a text. It is hidden until a script shows it (client/copy.js). */
export function copyButton(text: string, label: string, done: string): Markup {
  const shared = { type: 'button', class: 'quiet', 'aria-live': 'polite', hidden: true };
  return html`<button${attributes({ 'data-copy': text, 'data-done': done, ...shared })}>${label}</button>`;
}

/** Data for search engines (schema.org). `<` is escaped, since `</script` would end the element. */
export function structuredData(thing: object): Markup {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...thing }).replaceAll('<', '\\u003c');
  return html`<script type="application/ld+json">${new Markup(json)}</script>`;
}

/** Escapes a text for HTML, also inside quotes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
