import { brandName, type LoadedProfile } from '../../brand/profile/profile.ts';
import type { Claim, Profile } from '../../brand/profile/schema.ts';
import { attributes, cspHash, html, Markup, scriptJson } from '../../discovery/look/html.ts';
import { VERIFY } from '../../discovery/look/script.ts';
import { STYLE } from '../../discovery/look/style.ts';
import { themeRules } from '../../discovery/look/theme.ts';
import { checkButton } from '../../discovery/pages/answer.ts';
import { claimArticle } from '../../discovery/pages/claim.ts';
import { headingOf } from '../../discovery/pages/claims.ts';
import { messagesOf } from '../../tools/language/language.ts';

interface PageInput {
  /** The signed profile, as its file has it. */
  readonly profile: Pick<LoadedProfile, 'profile' | 'bytes'>;
  /** Bytes of the public keys. */
  readonly keys: Uint8Array;
  /** What people ask, with the claim that answers; for search engines. */
  readonly questions: readonly { readonly text: string; readonly claimId: string }[];
}

/**
 * Every claim with its limits and proofs as one page that needs no server: the same articles as `/claims`, the questions as schema.org's
 * FAQPage, and the signed profile with its keys, to take along and to verify. Its one script checks the signature as `/claims` does.
 */
export function staticClaimsPage({ profile: { profile, bytes }, keys, questions }: PageInput): string {
  const words = messagesOf(profile.language);
  const name = brandName(profile);
  const date = new Date(profile.issued_at).toLocaleDateString(profile.language, { dateStyle: 'long', timeZone: 'UTC' });
  const lead = profile.description ?? words.claims.lead(profile.claims.length, date);
  const { host } = new URL(profile.url);
  return html`<!doctype html>
<html lang="${words.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${new Markup(cspHash(VERIFY))}; connect-src data:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<title>${words.page.claims} · ${name}</title>
<meta name="description" content="${lead}">
<link rel="icon" href="data:,">
<style>${new Markup(themeRules(profile.colors) + STYLE)}</style>
<script type="application/ld+json">${scriptJson(structured(profile, questions))}</script>
</head>
<body>
<a class="skip" href="#content">${words.page.skip}</a>
<header class="bar"><a class="brand" href="${profile.url}">${name}</a></header>
<main id="content" tabindex="-1">
<div class="hero"><h1>${words.page.claims}</h1><p class="lead">${lead}</p></div>
${byCategory(profile)}
<section class="tinted" aria-labelledby="signature"><div class="aside"><h2 id="signature">${words.verify.title}</h2></div><div class="body"><p>${words.verify.signed}</p><div>${checkButton({ words }, words.verify.check)}<p><span role="status"></span></p></div>
<p>${download(bytes, { name: 'brand.json', signed: 'brand.json' }, words.verify.profile)} · ${download(keys, { name: 'brand.jwks.json', signed: 'jwks.json' }, words.verify.keys)}</p><p class="note">${words.verify.programs}</p><pre tabindex="0">aval verify brand.json --jwks brand.jwks.json --host ${host}</pre></div></section>
</main>
<script>${new Markup(VERIFY)}</script>
</body>
</html>
`.text;
}

/** A file inside the page: the page stays whole when it is moved. */
function download(
  bytes: Uint8Array,
  { name, signed }: Readonly<Record<'name' | 'signed', string>>,
  text: string,
): Markup {
  const href = `data:application/json;base64,${Buffer.from(bytes).toString('base64')}`;
  return html`<a${attributes({ href, download: name, 'data-signed': signed })}>${text}</a>`;
}

function byCategory(profile: Profile): Markup {
  const words = messagesOf(profile.language);
  const proofById = new Map(profile.proofs.map(proof => [proof.proof_id, proof]));
  const categories = [...new Set(profile.claims.map(({ category }) => category))];
  return html`${categories.map(category => {
    const own = profile.claims.filter(claim => claim.category === category);
    const articles = own.map(claim =>
      claimArticle(
        { words, profile },
        { ...claim, proofs: claim.proof_ids.flatMap(id => proofById.get(id) ?? []) },
        { isAnchor: true },
      ),
    );
    return html`<section class="group"><div class="aside"><h2>${headingOf(category, profile.claims)}</h2></div><div class="body claims">${articles}</div></section>`;
  })}`;
}

/** A question answers with the statement and both halves of its boundary, since search engines show it alone. */
function structured({ claims, url, language, issued_at }: Profile, questions: PageInput['questions']): object {
  const words = messagesOf(language);
  const byId = new Map(claims.map(claim => [claim.claim_id, claim]));
  const answer = ({ statement, boundary }: Claim) =>
    `${statement} ${words.match.applies}: ${boundary.applicable_for} ${words.match.excludes}: ${boundary.not_applicable_for}`;
  const mainEntity = questions.flatMap(({ text, claimId }) => {
    const claim = byId.get(claimId);
    return claim
      ? [{ '@type': 'Question', name: text, acceptedAnswer: { '@type': 'Answer', text: answer(claim) } }]
      : [];
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    url,
    inLanguage: language,
    dateModified: issued_at,
    mainEntity,
  };
}
