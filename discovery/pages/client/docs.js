/** Copying, trying and searching, where a browser runs scripts: the page says the same without. */
const search = /** @type {HTMLInputElement} */ (document.getElementById('search'));
const found = document.getElementById('found');
const words = found.dataset;

for (const block of document.querySelectorAll('pre:not([hidden])')) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'quiet copy',
    textContent: words.copy,
  });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = words.copied;
    setTimeout(() => {
      button.textContent = words.copy;
    }, 2000);
  });
  block.after(button);
}

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('.try')))
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const [shown, received] = form.querySelectorAll('pre');
    const details = form.querySelector('details');
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    const query = new URLSearchParams(fields).toString();
    shown.hidden = false;
    try {
      const response = await fetch(form.action + (query && `?${query}`), { headers: { accept: 'application/json' } });
      const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
      shown.textContent = JSON.stringify(await response.json(), null, 2);
      details.hidden = false;
      details.querySelector('summary').textContent = `HTTP ${response.status}`;
      received.textContent = headers;
    } catch (error) {
      details.hidden = true;
      shown.textContent = `${words.failed}: ${error.message}`;
    }
  });

const finder = search.closest('form');
finder.hidden = false;
finder.addEventListener('submit', event => event.preventDefault());
search.addEventListener('input', () => {
  const sought = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = node => sought.every(word => node.textContent.toLowerCase().includes(word));
  const rows = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('tbody tr,.call'));
  for (const row of rows) row.hidden = !matches(row);
  const sections = [...document.querySelectorAll('section')];
  for (const section of sections) section.hidden = !matches(section);
  const count = sections.filter(({ hidden }) => !hidden).length;
  found.textContent = sought.length === 0 ? '' : `${count} ${count === 1 ? words.one : words.many}`;
});
