import { openBrand, verifyAnswer } from 'aval';

// A profile without a server: loaded, verified with its public keys, asked.
const brand = await openBrand('examples/brand.json', { BRAND_JWKS: 'examples/brand.jwks.json' });
const answer = await brand.ask('¿Cuánto cuesta el diagnóstico?');
console.log(brand.verified, answer.matches[0]?.claim_id);

// An answer that came from anywhere, held against the profile that its brand has signed: a file, or https://acme.example.
const proof = await verifyAnswer(JSON.stringify(answer), 'examples/brand.json');
console.log(proof.verified, proof.reasons);
