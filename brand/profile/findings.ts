/**
 * Every finding about a profile by its code: what is wrong, and what to do. `fault` (fault.ts) puts values in
 * place of `{0}` and `{1}`.
 */
export const FINDINGS = {
  // Shape: profile.ts chooses the code of an issue of the schema.
  unknown_member: ['unknown member', 'remove it, or look for a slip in its name'],
  missing: ['is missing', 'add it, as {0}'],
  wrong_kind: ['must be {0}', 'change the value'],
  empty: ['is empty', 'fill it in, or remove the member where it is optional'],
  too_short: ['is shorter than {0} characters', 'say more'],
  too_long: ['is longer than {0} characters', 'shorten it'],
  too_many: ['is longer than {0} entries', 'shorten it'],
  too_small: ['must be at least {0}', 'change the value'],
  too_big: ['must be at most {0}', 'change the value'],
  not_listed: ['must be one of {0}', 'choose one of them'],
  language_key: ['must be a language tag', 'write it like "es" or "en-GB"'],
  language_tag: ['must be a language tag, like es or en-GB', 'change the value'],
  figure_or_text: ['must be a number, or a text of some characters', 'write a number or a text'],
  id_form: [
    'may have letters, digits, dot, dash and underscore, and begins with one of the first two',
    'change the value',
  ],
  brand_id_form: ['may have the letters a to z in lower case, digits and underscore', 'change the value'],
  base64url: ['must be base64url without padding', 'change the value'],
  date_time: ['must be a date and time with its zone, like 2026-11-01T00:00:00Z', 'change the value'],
  no_name: ['must have a name', 'change the value'],
  web_address: ['must be an http or https address', 'write it like https://acme.example/page'],
  blank: ['is blank', 'change the value'],
  other: ['{0}', 'change the value'],
  too_many_bytes: ['is {0} bytes long, at most {1} are accepted', 'split the profile or shorten its texts'],

  // Links between parts, and exact checks: link-faults.ts, texts.ts, owner/checks.ts.
  dates_reversed: [
    'is not after issued_at',
    'sign the profile again, valid for a year: aval sign FILE --renew 1y',
  ],
  used_twice: ['used twice', 'give each its own id, and list each once'],
  no_such_proof: ['no such proof', 'add a proof with the id {0}, or remove the link'],
  no_such_claim: ['no such claim', 'name the claim that answers the question, or remove the question'],
  no_words: ['has no words in the language of the profile ({0})', 'add them as "{0}"'],
  public_client: [
    'is the client of a public proof, though this proof is not public',
    'describe the client, as "a maker of canned food, Galicia", or make the proof public; where ' +
      'it names nobody, word it otherwise',
  ],
  listed_name: ['says “{0}”, which never-publish.txt lists', 'take the name out'],
  hidden_character: [
    'has the character {0}, which nobody sees',
    'remove it: type the text again, or paste it as plain text',
  ],
  secret: [
    'has what looks like a private key, or the key of a service',
    'take it out, and make another: who has read this one can use it',
  ],
  bank_account: ['has the number of a bank account', 'take it out where it is not for everybody'],

  // Time and signature: brand/trust/verify-profile.ts.
  expired: [
    'the profile expired at {0}',
    'review the claims and sign again, valid for a year: aval sign FILE --renew 1y',
  ],
  not_yet_valid: ['the profile is not valid before {0}', 'put issued_at back to today, or wait until then'],
  expires_soon: [
    'the profile expires at {0}: from then on nothing is answered from it',
    'review the claims and sign again, valid for a year: aval sign FILE --renew 1y',
  ],
  unsigned: ['the profile is not signed', 'aval sign FILE'],
  void_signature: ['the signature is void: {0}', 'aval sign FILE, when the changes are done'],

  // About the content: owner/checks.ts and check-profile.ts. Most are warnings.
  no_description: [
    'is missing: agents and pages introduce the brand with it',
    'say in two sentences what you do and for whom',
  ],
  example: ['is an example that aval init wrote', 'replace it with a text of yours'],
  no_questions: [
    '{0} of {1} claims have no question',
    'write two in each language, in the words of visitors: on seven public sets the right claim ' +
      'then came first 72 times in 100, not 56',
  ],
  unread: [
    'is longer than search reads: it reads the questions first, then statement, metric and limits',
    'shorten one of them',
  ],
  same_statement: ['says the same sentence as {0}', 'remove one of the two'],
  two_values: [
    'says another figure than {0} for the same metric',
    'keep the right one, or give each metric its own name',
  ],

  // JSON: strict-json.ts.
  json_syntax: ['{0}', 'JSON has double quotes, a comma between two entries, and no comments'],
  json_bom: ['begins with a byte order mark', 'save the file as UTF-8 without BOM'],
  json_not_utf8: ['is not UTF-8', 'save the file as UTF-8'],
  json_surrogate: ['half of a surrogate pair', 'write the whole character'],
  json_deep: ['nested deeper than {0} levels', 'flatten it'],
  json_same_name: ['the same name twice in one object', 'keep one of the two'],
  json_proto: ['a name that libraries read differently', 'rename it'],
  json_huge: ['a number too large for any reader', 'write it as text'],
  json_rounded: ['an integer beyond 9007199254740991, which readers round', 'write it as text'],
} as const satisfies Readonly<Record<string, readonly [message: string, fix: string]>>;

export type FindingCode = keyof typeof FINDINGS;

export const isFindingCode = (text: string): text is FindingCode => Object.hasOwn(FINDINGS, text);
