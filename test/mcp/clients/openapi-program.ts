/** What `npm run check:clients` compiles against the types of openapi-typescript: a program of a strict project. */
export const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

declare const process: { argv: string[] };
declare const console: { log(text: string): void };

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const report: Record<string, string> = { connect: 'yes' };
const yes = (good: boolean) => (good ? 'yes' : 'no');

const asked = await client.GET('/ask', { params: { query: { q: '¿Cuánto cuesta el diagnóstico?' } } });
const claim: string | undefined = asked.data?.matches[0]?.claim_id;
report['ask'] = yes(claim === 'clm-diagnostic-price');

const body = {
  name: 'Ana Ruiz',
  email: 'ana@conservas.example',
  company: 'Conservas del Norte',
  role: 'Directora',
  country: 'España',
  context: 'Vendemos en 300 tiendas y el margen baja.',
};
const messages: string[] = [];
for (let time = 0; time < 3; time += 1) {
  const { data } = await client.POST('/api/v1/contact', { body });
  messages.push(data?.message ?? '');
}
report['submit'] = yes(new Set(messages.map(text => /[A-Z]{4}-\\d{4}/.exec(text ?? '')?.[0])).size === 3);

const { error } = await client.POST('/api/v1/contact', { body: { ...body, email: 'nobody' } });
report['fault'] = yes(error !== undefined && 'issues' in error && error.issues?.[0] === 'email: must be a valid email address');

report['limit'] = 'no';
for (let time = 0; time < 41; time += 1) {
  const { error } = await client.POST('/ask', { body: { query: 'precio' } });
  if (error?.code === 'rate_limited' && /Wait \\d+ seconds/.test(error.hint)) report['limit'] = 'yes';
}
console.log(JSON.stringify(report));
`;
