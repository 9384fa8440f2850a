/** Help for the author of a profile about one member. The schema says what the member is. */
export interface MemberNote {
  /** An empty list means: no example. */
  readonly example: unknown;
  /** Why the member matters. */
  readonly why: string;
}

/** The notes by part and member. The JSON Schema has them, so editors show them. */
export const MEMBER_NOTES = {
  Profile: {
    profile: { example: 'brand-profile/1', why: 'Always this text.' },
    id: { example: 'casa_ejemplo', why: 'Never change it.' },
    names: { example: [{ es: 'Casa Ejemplo' }], why: 'Every answer begins with it.' },
    url: { example: 'https://casa.example', why: 'The signature counts on this host alone.' },
    language: { example: 'es', why: 'Pages speak it.' },
    description: {
      example: 'Consultora de precios y distribución.',
      why: 'Pages and agents introduce the brand with it; `aval check` wants it.',
    },
    issued_at: { example: '2026-11-01T00:00:00Z', why: 'No answer before.' },
    expires_at: { example: '2027-11-01T00:00:00Z', why: 'No answer after. A year is usual.' },
    claims: { example: [], why: 'Only these are answered.' },
    proofs: { example: [], why: 'Claims refer to them.' },
    actions: {
      example: { request_diagnostic: { enabled: true, reply_hours: 24 } },
      why: "What it leaves out is off. Without it: the contract's two.",
    },
    questions: {
      example: [{ text: '¿Cuánto cuesta una sesión?', claim_id: 'clm-example' }],
      why: 'Search reads them with their claim: write two for each claim in each language.',
    },
    signatures: { example: [], why: 'Any change voids them.' },
  },
  Action: {
    enabled: { example: true, why: 'false removes every mention.' },
    reply_hours: { example: 24, why: 'Pages and mails promise it.' },
    fields: { example: ['company'], why: '[] adds none.' },
    words: {
      example: {
        es: {
          title: 'Escríbenos',
          purpose: 'Cuéntanos tu caso y te decimos si podemos ayudarte.',
          context: 'Qué te ha pasado y cuándo.',
          thanks: 'Hemos recibido tu mensaje.',
        },
      },
      why: "The profile's own language has to be there.",
    },
  },
  ActionWords: {
    title: { example: 'Escríbenos', why: 'A few words.' },
    purpose: { example: 'Cuéntanos tu caso y te decimos si podemos ayudarte.', why: 'Agents decide by it.' },
    context: { example: 'Qué te ha pasado y cuándo.', why: 'Ask only for what you need to reply.' },
    thanks: { example: 'Hemos recibido tu mensaje.', why: 'Page and confirmation say it.' },
  },
  Question: {
    text: {
      example: '¿Cuánto cuesta una sesión?',
      why: 'In the words of visitors, never the statement turned round.',
    },
    language: { example: 'es', why: 'Visitors see questions in their own.' },
    claim_id: { example: 'clm-example', why: 'The question is searched with this claim.' },
  },
  Claim: {
    claim_id: { example: 'clm-example', why: 'Keep it when the words change.' },
    statement: {
      example: 'Our price review raises the gross margin by 3.4 points in twelve months.',
      why: 'Name the thing, the figure and the time.',
    },
    category: { example: 'prices', why: 'Groups claims for readers.' },
    metric: {
      example: { name: 'gross_margin_gain', value: 3.4, unit: 'points' },
      why: 'Makes the figure checkable.',
    },
    boundary: {
      example: {
        applicable_for: 'Food makers with two years of sales data.',
        not_applicable_for: 'Retailers.',
      },
      why: 'An agent may use the claim only inside it.',
    },
    confidence: { example: 'high', why: 'high, medium or low; high wants a proof.' },
    proof_ids: { example: ['prf-example'], why: '[] where there is none.' },
  },
  Metric: {
    name: { example: 'gross_margin_gain', why: 'Use the word that people use.' },
    value: { example: 3.4, why: 'A number, else a text.' },
    unit: { example: 'points', why: 'A figure alone says nothing.' },
    window: { example: '12 months from the start', why: 'Makes figures comparable.' },
    baseline: { example: 'the 12 months before', why: 'A number or a text.' },
    n: { example: 27, why: '27 convinces more than "many".' },
  },
  Boundary: {
    applicable_for: {
      example: 'Food makers with two years of sales data.',
      why: 'For whom, under which condition.',
    },
    not_applicable_for: {
      example: 'Retailers, and makers of own-label goods only.',
      why: 'Name whom you would send away.',
    },
  },
  Proof: {
    proof_id: { example: 'prf-example', why: 'Claims refer to it.' },
    type: { example: 'case_study', why: 'case_study, audit, certificate, dataset, reference…' },
    title: { example: 'Margins of 27 clients, 2023 to 2025', why: 'Readers see it first.' },
    summary: { example: 'Audited accounts before and after.', why: 'One or two sentences.' },
    client: { example: '27 food makers, Spain', why: 'Else describe.' },
    verifiable_by: { example: 'The auditor, on request', why: 'Who can check it for a stranger.' },
    confidentiality: { example: 'anonymised', why: 'public, anonymised, on_request or confidential.' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, MemberNote>>>>;
