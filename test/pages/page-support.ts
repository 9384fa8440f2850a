import assert from 'node:assert/strict';
import type { Match } from '../../brand/retrieval/brand.ts';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { exampleBrand } from '../support/example.ts';

/** What browsers send when a person navigates. */
export const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Status and visible text of a page. */
export async function pageOf(request: Promise<Response>) {
  const response = await request;
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  const html = await response.text();
  const visible = html.replace(/<head>.*?<\/head>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ');
  return { status: response.status, html, text: visible, headers: response.headers };
}

/** The page that a browser is shown. */
export const visit = (address: string, headers: Record<string, string> = {}) =>
  pageOf(fetch(address, { headers: { ...BROWSER, ...headers } }));

/** The page that a post leads to. */
export async function followed(url: string, request: Promise<Response>) {
  const response = await request;
  assert.equal(response.status, 303);
  return visit(url + response.headers.get('location'));
}

/** The example brand, with a privacy policy that its forms ask consent to. */
export async function brandWithPolicy(): Promise<ServedBrand> {
  const brand = await exampleBrand();
  const privacy_policy_url = 'https://norteclaro.example/privacidad';
  return { ...brand, profile: { ...brand.profile, privacy_policy_url } };
}

/** The example brand, which answers every question with these claims: what retrieval finds is tested elsewhere. */
export async function answering(
  similarities: Readonly<Record<string, number>>,
  changes: object = {},
): Promise<ServedBrand> {
  const brand = await exampleBrand();
  const profile = { ...brand.profile, ...changes };
  const matches = Object.entries(similarities).map(([id, similarity]): Match => {
    const claim = profile.claims.find(({ claim_id }) => claim_id === id);
    assert.ok(claim, id);
    const proofs = profile.proofs.filter(({ proof_id }) => claim.proof_ids.includes(proof_id));
    return { ...claim, similarity, proofs };
  });
  const ask = async (query: string) => ({ brand: brand.name, query, matches });
  return { ...brand, profile, ask };
}
