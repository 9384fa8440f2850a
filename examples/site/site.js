// The partner form as JSON. The same key for the same text: a second click, or a retry after a lost answer, sends nothing twice.
const SERVER = 'http://127.0.0.1:8787';
const form = document.getElementById('api');
const status = form.querySelector('[role=status]');
let sent = {};

form.addEventListener('submit', async event => {
  event.preventDefault();
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  if (sent.body !== body) sent = { body, key: crypto.randomUUID() };
  try {
    const response = await fetch(`${SERVER}/api/v1/partners`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': sent.key },
      body,
    });
    const answer = await response.json();
    status.textContent = response.ok ? answer.message : [answer.error, ...(answer.issues ?? [answer.hint])].join(' ');
    if (response.ok) form.reset();
  } catch {
    // The browser says no more than this about a refused origin: look for ALLOWED_ORIGINS in its console.
    status.textContent = 'No hay conexión con el servidor.';
  }
});
