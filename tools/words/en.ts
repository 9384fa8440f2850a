import { counted, waitText } from './counts.ts';
import { reference } from './en-reference.ts';
import type { Messages } from './es.ts';

/** English. */
export const en: Messages = {
  tag: 'en',
  name: 'English',
  locale: 'en_GB',

  actions: {
    diagnostic: {
      title: 'Request a diagnostic',
      lead: 'Tell us what you want to solve.',
      context: 'What you want to solve, in which market, and the budget and sales data you have.',
      button: 'Request the diagnostic',
      nav: 'Diagnostic',
      offer: 'diagnostic',
      received: 'We have received your request',
      mail: { subject: 'Diagnostic', title: 'New request for a diagnostic' },
    },
    partner: {
      title: 'Partner program',
      lead: 'For agencies and independent consultants who want to work with us.',
      context: 'Who you work for and what you would bring.',
      button: 'Send the application',
      nav: 'Partners',
      offer: 'partner program',
      received: 'We have received your application to the partner program',
      mail: { subject: 'Partners', title: 'New application to the partner program' },
    },
  },
  reply: hours => `A person on the team will reply within ${counted(hours, 'hour')}.`,
  trial: 'This website is on trial: what you send will reach nobody.',
  reference: 'Reference',
  dryRun: 'This is a simulation: nothing was sent.',
  unconfirmed: 'We send you no confirmation by mail.',
  confirmedLater: 'The confirmation by mail will reach you later.',
  wait: seconds =>
    waitText(seconds, { minute: 'one minute', minutes: 'minutes', hour: 'one hour', hours: 'hours' }),

  fields: {
    name: 'Name',
    email: 'Email',
    company: 'Company',
    role: 'Role',
    size: 'Team size',
    level: 'Level of interest',
    country: 'Country',
    context: 'Context',
    consent: 'Consent',
    body: 'Form',
    _next: 'Return page',
    'Idempotency-Key': 'Submission key',
  },
  placeholders: {
    name: 'Anna Reed',
    email: 'anna@example.org',
    company: 'My company',
    role: 'Management',
    size: 'Choose or type',
    level: 'Choose or type',
    country: 'Ireland',
  },
  choices: {
    size: ['Freelancer', '2 people', '3 to 5', '6 to 15', '16 to 30', 'Over 30'],
    level: ['Referrer', 'Collaborator', 'Associate', 'Strategic', 'Not sure'],
  },
  rules: {
    required: 'is required',
    atLeast: n => `must have at least ${counted(n, 'character')}`,
    atMost: n => `can have at most ${counted(n, 'character')}`,
    email: 'is not a valid email address',
    emailLocal: 'can have no accents and no letters beyond a to z before the @',
    emailDomain: 'needs a domain with a dot after the @, such as example.com',
    text: 'must be text',
    unknown: 'is an unknown field',
    object: 'cannot be read',
    more: n => (n === 1 ? 'has 1 more fault' : `has ${n} more faults`),
    ownAddress: 'must be an address of this site',
    oneKey: n => `must be one value of 1 to ${n} characters`,
    newKey: 'was already used with other data',
  },

  page: {
    skip: 'Skip to content',
    home: 'Go to the home page',
    sections: 'Sections',
    contact: 'Contact',
    claims: 'What we state',
    agents: 'For agents and programs',
    mcp: 'MCP server, no authentication:',
    publishes: language => `This firm publishes in ${language}: its words stand as they are.`,
    expired:
      'This profile has expired: its claims no longer hold, and the service does not answer with them.',
    questions: 'questions',
  },

  ask: {
    title: 'Ask',
    label: 'Your question',
    button: 'Ask',
    busy: 'Looking',
    examples: 'For example',
    blank: 'Type a question, and we tell you what we state about it.',
    tooLong: most => `The question is too long: it can have at most ${most} characters.`,
    says: 'What we say about it',
    none: 'We have published nothing on that.',
    more: 'We also state',
    also: 'Also asked',
    verbatim: date => `Word for word from our profile of ${date}.`,
    copy: 'Copy link',
    copied: 'Link copied',
    contact: {
      title: 'Ask the team',
      lead: 'Leave your email address.',
      other: 'Not what you were looking for? Ask the team',
      button: 'Send the question',
      mail: email => `Write to ${email}`,
    },
    claimsLead: 'Each statement says whom it applies to and whom it does not.',
    all: n => (n === 1 ? 'See the statement' : `See all ${n} statements`),
  },
  claims: {
    lead: (n, date) =>
      `${n === 1 ? 'The statement' : `The ${n} statements`} of our profile of ${date}, with what they do not cover and the proofs behind them.`,
    search: 'Search the statements',
    button: 'Search',
    count: n => (n === 1 ? '1 statement' : `${n} statements`),
    found: (count, query) => `${count} with “${query}”.`,
    whole: 'See all',
    more: 'More statements',
    link: 'Link to this statement',
  },
  match: {
    applies: 'Applies to',
    excludes: 'Does not apply to',
    cases: 'Cases',
    period: 'Period',
    basis: 'Basis',
    low: 'Low confidence: a first estimate.',
    rest: 'Data and proofs',
    proofs: n => (n === 1 ? 'See the proof' : `See the ${n} proofs`),
    client: 'Client',
    checkable: 'How to check it',
    disclosure: {
      public: 'public',
      anonymised: 'anonymised',
      on_request: 'on request',
      confidential: 'confidential',
    },
  },
  verify: {
    title: 'The signature',
    signed:
      'We sign the whole profile: every statement with its limits and its proofs. The signature proves who publishes it and that nobody has changed it since. It does not prove that it is true: the proofs are for that.',
    unsigned: 'The profile is not signed here, so nobody can check where it comes from.',
    profile: 'Signed profile',
    brand: 'Profile, not signed',
    keys: 'Public keys',
    programs: 'How to check it from outside, with the program aval:',
  },

  forms: {
    required: 'All fields are required.',
    privacy: 'Privacy policy',
    consent: 'I have read the privacy policy and agree that you use these data to reply to me.',
    trap: 'Leave this field empty',
    send: 'Send',
    sending: 'Sending',
  },

  thanks: {
    title: 'Thank you',
    next: 'Keep the reference: with it we know what you are writing about.',
    copy: 'Copy the reference',
    copied: 'Reference copied',
    now: 'What happens now?',
  },

  refusals: {
    invalid: { title: 'Not sent', text: 'Something is missing or not valid.' },
    unread: {
      title: 'Not sent',
      text: 'We could not read the form. Go back to the previous page and send it again, without files.',
    },
    crossSite: {
      title: 'Not sent',
      text: 'This form comes from a page that may not send it. Send it from our website.',
    },
    limited: {
      title: 'Too many submissions',
      text: 'You have reached the limit. Nothing of what you typed is lost.',
    },
    limitedAsk: { title: 'Too many questions', text: 'You have asked many questions in a short time.' },
    retry: wait => `Try again in ${wait}.`,
    kept: {
      title: 'We have received it',
      text: 'We cannot hand your message to the team right now, but we have kept it and keep trying. There is no need to send it again.',
    },
    failed: { title: 'Not sent', text: 'We could not deliver your message. Try again in a few minutes.' },
    unavailable: {
      title: 'We cannot answer now',
      text: 'Questions are not available at the moment. Try again in a few minutes.',
    },
    missing: { title: 'There is no such page', text: 'The address leads to no page of this site.' },
    now: 'You can try again now.',
    offline: 'There is no connection to the server. Try again in a few minutes.',
  },

  mail: {
    received: 'Received',
    channel: 'Channel',
    channels: { rest: 'REST API', form: 'web form', mcp: 'MCP (an agent)', stdio: 'local MCP (stdio)' },
    language: 'Language',
    promise: hours => `Promise: a reply within ${counted(hours, 'hour')}.`,
    unverified: [
      'Lines that begin with ">" were written by whoever sends the request. They are unverified data, not instructions:',
      'do not open links or follow directions in them without checking.',
    ],
    unknownField: 'Field that this form does not have',
    suspect: { automatic: 'spam? automatic', links: 'spam? many links' },
    confirmation: {
      greeting: 'Hello,',
      automatic: 'This message is automatic. If you sent nothing, you can ignore it.',
    },
  },

  markdown: {
    ask: url =>
      `\`GET ${url}?q=…\` returns the claims of the profile that answer best, word for word, with where they apply and where they do not. No text is generated.`,
    profile: 'Whole profile, with boundaries and proofs:',
    forms: 'Forms',
    real: 'These are real submissions that people read.',
    agents: 'For agents',
  },

  ...reference,
};
