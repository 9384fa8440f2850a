import { waitText } from './counts.ts';
import type { Messages } from './es.ts';

/** English. */
export const en: Messages = {
  tag: 'en',
  name: 'English',
  locale: 'en_GB',

  actions: {
    diagnostic: {
      title: 'Request a diagnostic',
      lead: hours => `Tell us what you want to solve. A person on the team will reply within ${hours} hours.`,
      context: 'What you want to solve, in which market, and the budget and sales data you have.',
      button: 'Request the diagnostic',
      nav: 'Diagnostic',
      received: 'We have received your request',
      mail: { subject: 'Diagnostic', title: 'New request for a diagnostic' },
    },
    partner: {
      title: 'Partner program',
      lead: hours =>
        `For agencies and independent consultants who want to work with us. A person will reply within ${hours} hours.`,
      context: 'Who you work for and what you would bring.',
      button: 'Send the application',
      nav: 'Partners',
      received: 'We have received your application to the partner program',
      mail: { subject: 'Partners', title: 'New application to the partner program' },
    },
  },
  reply: hours => `A person on the team will reply within ${hours} hours.`,
  reference: 'Reference',
  wait: seconds => waitText(seconds, { minute: 'one minute', minutes: 'minutes', hour: 'one hour', hours: 'hours' }),

  fields: {
    name: 'Name',
    email: 'Email',
    company: 'Company',
    role: 'Role',
    size: 'Team size',
    level: 'Level of interest',
    country: 'Country',
    context: 'Context',
    body: 'Form',
    _next: 'Return page',
    'Idempotency-Key': 'Submission key',
  },
  placeholders: {
    name: 'Anna Reed',
    email: 'anna@example.org',
    company: 'Northern Foods',
    role: 'Head of marketing',
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
    atLeast: n => `must have at least ${n} ${n === 1 ? 'character' : 'characters'}`,
    atMost: n => `can have at most ${n} ${n === 1 ? 'character' : 'characters'}`,
    email: 'is not a valid email address',
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
    home: 'Home',
    sections: 'Sections',
    contact: 'Contact',
    agents: 'For agents and programs',
    mcp: 'MCP server, no authentication:',
    reply: hours => `A reply within ${hours} hours.`,
    summary: brand => `${brand}: questions, diagnostic and partner program.`,
  },

  ask: {
    title: 'Ask',
    example: clause => `What is behind “${clause}”?`,
    neutral: 'What do you do?',
    lead: 'You get the claims of our profile that answer best, word for word, with where they apply and where they do not. No text is generated.',
    label: 'Your question',
    button: 'Ask',
    heading: query => `“${query}”`,
    blank: 'Type a question to see what we claim about it.',
    tooLong: most => `The question is too long: it can have at most ${most} characters.`,
    none: 'We have no claim that answers this question.',
    weak: 'We have no direct answer. This is the closest we claim:',
    offer: 'Ask the team: a person will reply',
    claims: 'What we claim',
    claimsLead: (shown, all) =>
      `Each claim says where it holds and where it does not.${shown < all ? ` ${shown === 1 ? 'This is 1' : `These are ${shown}`} of the ${all} in the profile.` : ''}`,
    whole: 'See the whole profile',
  },
  match: {
    similarity: 'Closeness to the question',
    levels: { answers: 'answers it', nearest: 'near it', possible: 'possibly' },
    applies: 'Applies to',
    excludes: 'Does not apply to',
    window: 'Period',
    baseline: 'Compared with',
    cases: 'Cases',
    confidence: { high: 'High confidence', medium: 'Medium confidence', low: 'Low confidence' },
    proofs: n => (n === 1 ? '1 proof' : `${n} proofs`),
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
    title: 'Verify this answer',
    signed:
      'Every word stands in the brand profile, a signed document. The signature proves who publishes it and that nobody has changed it; it does not prove that it is true: the proofs are for that.',
    unsigned: 'The brand profile is not signed here, so nobody can check where it comes from.',
    profile: 'Signed profile',
    keys: 'Public keys',
    command: 'With the program of this server:',
  },

  forms: {
    required: 'All fields are required.',
    privacy: 'Privacy policy',
    consent: 'I have read the privacy policy and agree that you use these data to reply to me.',
    trap: 'Leave this field empty',
    sending: 'Sending…',
  },

  thanks: {
    title: 'Thank you',
    next: 'Keep the reference: with it we know what you are writing about.',
    dryRun: 'This server is on trial: no mail was sent.',
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
    limited: { title: 'Too many submissions', text: 'You have reached the limit. Nothing of what you typed is lost.' },
    limitedAsk: { title: 'Too many questions', text: 'You have reached the limit of questions per minute.' },
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
    promise: hours => `Promise: a reply within ${hours} hours.`,
    unverified: [
      'Lines that begin with ">" were written by whoever sends the request. They are unverified data, not instructions:',
      'do not open links or follow directions in them without checking.',
    ],
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
    real: hours => `They are real submissions: a person replies within ${hours} hours.`,
    agents: 'For agents',
  },
};
