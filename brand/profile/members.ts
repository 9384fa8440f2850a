/** One member of a profile, for whoever writes it: an example, and why it matters. What it is stands in the schema. */
export interface MemberNote {
  readonly example: unknown;
  readonly why: string;
}

/** Every member by the part it belongs to: editors show this, and docs/profile.md lists it. */
export const MEMBER_NOTES = {
  Profile: {
    profile: { example: 'brand-profile/1', why: 'Tells readers which format this is.' },
    id: { example: 'casa_ejemplo', why: 'Tells your brand from others in one list; never change it.' },
    names: { example: [{ es: 'Casa Ejemplo' }], why: 'Every answer begins with it.' },
    url: { example: 'https://casa.example', why: 'The signature counts on this host alone.' },
    language: { example: 'es', why: 'Decides how words are compared and how the pages speak.' },
    description: {
      example: 'Consultora de precios y distribución.',
      why: 'Agents read it first, to see whether you fit.',
    },
    issued_at: { example: '2026-11-01T00:00:00Z', why: 'Nothing is answered before; aval sign --renew sets it.' },
    expires_at: { example: '2027-11-01T00:00:00Z', why: 'Nothing is answered after; a year is a good habit.' },
    claims: { example: [], why: 'What can be answered, and nothing else.' },
    proofs: { example: [], why: 'What stands behind the claims.' },
    actions: {
      example: { request_diagnostic: { enabled: true, reply_hours: 24 } },
      why: "What it does not name is off; without the member the service offers the contract's two actions.",
    },
    questions: {
      example: [{ text: '¿Cuánto cuesta una sesión?', claim_id: 'clm-example' }],
      why: 'Pages offer them and agents see them as examples; without them the service makes some up.',
    },
    signatures: { example: [], why: 'aval sign writes them; any change of the text voids them.' },
  },
  Action: {
    enabled: { example: true, why: 'false: no tool, no path, no form, no word of it.' },
    reply_hours: { example: 24, why: 'Pages, mails and agents promise it. Promise what you keep.' },
    fields: { example: ['company'], why: 'People fill in short forms; [] asks for name, e-mail and context alone.' },
    words: {
      example: {
        es: {
          title: 'Escríbenos',
          purpose: 'Cuéntanos tu caso y te decimos si podemos ayudarte.',
          context: 'Qué te ha pasado y cuándo.',
          thanks: 'Hemos recibido tu mensaje.',
        },
      },
      why: "Your own words in place of the contract's; one entry a language, the profile's own among them.",
    },
  },
  ActionWords: {
    title: { example: 'Escríbenos', why: 'A few words: it is a heading and a link.' },
    purpose: { example: 'Cuéntanos tu caso y te decimos si podemos ayudarte.', why: 'Agents decide by it.' },
    context: { example: 'Qué te ha pasado y cuándo.', why: 'Ask for what you need to reply, and no more.' },
    thanks: { example: 'Hemos recibido tu mensaje.', why: 'The page, the confirmation and agents say it.' },
  },
  Question: {
    text: { example: '¿Cuánto cuesta una sesión?', why: 'Use the words of those who ask.' },
    language: { example: 'es', why: 'Visitors see the questions of their language.' },
    claim_id: { example: 'clm-example', why: 'The claim must come first when the question is asked.' },
  },
  Claim: {
    claim_id: { example: 'clm-example', why: 'Answers cite it: keep it when the words change.' },
    statement: {
      example: 'Our price review raises the gross margin by 3.4 points in twelve months.',
      why: 'The sentence that is quoted. Name the thing, the figure and the time.',
    },
    category: { example: 'prices', why: 'Groups claims for readers.' },
    metric: { example: { name: 'gross_margin_gain', value: 3.4, unit: 'points' }, why: 'Makes the figure checkable.' },
    boundary: {
      example: { applicable_for: 'Food makers with two years of sales data.', not_applicable_for: 'Retailers.' },
      why: 'An agent may use the claim inside it only: without one it promises too much.',
    },
    confidence: { example: 'high', why: 'high, medium or low; high wants a proof.' },
    proof_ids: { example: ['prf-example'], why: 'Links the claim to its proofs; [] where there is none.' },
  },
  Metric: {
    name: { example: 'gross_margin_gain', why: 'Is searched too: use the word that people use.' },
    value: { example: 3.4, why: 'A number can be compared; write text only where there is none.' },
    unit: { example: 'points', why: 'Without it a figure says nothing.' },
    window: { example: '12 months from the start', why: 'Over which time it was measured.' },
    baseline: { example: 'the 12 months before', why: 'Against what; a number or a text.' },
    n: { example: 27, why: 'From how many cases; 27 convinces more than "many".' },
  },
  Boundary: {
    applicable_for: {
      example: 'Food makers with two years of sales data.',
      why: 'Say for whom and under which condition.',
    },
    not_applicable_for: {
      example: 'Retailers, and makers of own-label goods only.',
      why: 'Name whom you would send away.',
    },
  },
  Proof: {
    proof_id: { example: 'prf-example', why: 'Claims name it.' },
    type: { example: 'case_study', why: 'case_study, audit, certificate, dataset, reference…' },
    title: { example: 'Margins of 27 clients, 2023 to 2025', why: 'What a reader sees first.' },
    summary: { example: 'Audited accounts before and after.', why: 'What it shows, in a sentence or two.' },
    client: { example: '27 food makers, Spain', why: 'Whose case it is. Describe, do not name, unless it is public.' },
    verifiable_by: { example: 'The auditor, on request', why: 'By whom a stranger can have it checked.' },
    confidentiality: { example: 'anonymised', why: 'public, anonymised, on_request or confidential.' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, MemberNote>>>>;
