import { countText } from './counts.ts';
import type { Messages } from './es.ts';

/** English. */
export const en: Messages = {
  tag: 'en',
  name: 'English',
  locale: 'en-GB',

  actions: {
    diagnostic: {
      title: 'Request a diagnostic',
      lead: 'Tell us what you want to solve.',
      question: 'What do you want to solve?',
      context: 'In which market, and the budget and sales data you have.',
      button: 'Request the diagnostic',
      nav: 'Diagnostic',
      received: 'We have received your request',
      mail: { subject: 'Diagnostic', title: 'New request for a diagnostic' },
    },
    partner: {
      title: 'Partner program',
      lead: 'For agencies and independent consultants who want to work with us.',
      question: 'What would you bring?',
      context: 'Which clients you work for and what you do well.',
      button: 'Send the application',
      nav: 'Partners',
      received: 'We have received your application to the partner program',
      mail: { subject: 'Partners', title: 'New application to the partner program' },
    },
  },
  reply: hours => `A person on the team will reply within ${countText(hours, 'hour')}.`,
  trial: 'This website is on trial: what you send is kept, and reaches nobody.',
  reference: 'Reference',

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
    page: 'Page',
    _next: 'Return page',
  },
  placeholders: {
    name: 'Anna Reed',
    email: 'anna@example.org',
    company: 'My company',
    role: 'Management',
    country: 'Ireland',
    context: {
      diagnostic:
        'We want to sell more in Ireland. We have a budget of €20,000 and sales figures of three years.',
      partner: 'We work for twelve clients in the food trade and can run their campaigns.',
    },
  },
  choices: {
    size: ['Freelancer', '2 people', '3 to 5', '6 to 15', '16 to 30', 'Over 30'],
    level: ['Referrer', 'Collaborator', 'Associate', 'Strategic', 'Not sure'],
  },
  rules: {
    text: 'must be text',
    once: 'came more than once: leave one value',
    ownAddress: 'must be an address of this site',
  },

  page: {
    skip: 'Skip to content',
    home: 'Go to the home page',
    sections: 'Sections',
    contact: 'Contact',
    claims: 'Our claims',
    agents: 'For developers and AI',
    signedProfile: 'Signed profile (JSON)',
    unsignedProfile: 'Profile, not signed (JSON)',
    website: host => `Go to ${host}`,
    mcp: 'MCP server, no authentication:',
    publishes: language => `This firm publishes in ${language}: its words stand as they are.`,
    expired:
      'This profile has expired: its claims no longer hold, and the service does not answer with them.',
  },

  ask: {
    title: 'Ask',
    label: 'Your question',
    button: 'Ask',
    examples: 'For example',
    blank: 'Type a question, and we tell you what we have published about it.',
    tooLong: most => `The question is too long: it can have at most ${most} characters.`,
    says: 'From what we have published',
    similarity: value =>
      `similarity to your question: ${value}\u00a0of\u00a01. It is about the subject, not the truth.`,
    none: 'We have published nothing on that.',
    more: 'We also say',
    verbatim: date => `Word for word from our profile of ${date}.`,
    copy: 'Copy answer',
    copyLink: 'Copy link',
    copied: 'Copied',
    check: 'How to check this',
    checkWith: 'In a terminal, aval compares these words with our signed profile:',
    proves: 'The signature proves who publishes it and that nobody has changed it, not that it is true.',
    program: 'What aval is, and how it checks',
    contact: {
      title: 'Ask the team',
      other: 'Not what you were looking for?',
      mail: email => `Write to ${email}`,
    },
    all: n => (n === 1 ? 'See the claim' : `See all ${n} claims`),
  },
  claims: {
    lead: (n, date) =>
      `${n === 1 ? 'The claim' : `The ${n} claims`} of our profile of ${date}, limits included.`,
    filter: 'Filter the claims',
    categories: 'Categories',
    matching: all => `{n} of ${all} with “{words}”`,
    none: 'No claim says “{words}”.',
    clear: 'Clear',
    ask: 'Ask it',
  },
  docs: {
    lead: 'Everything is public: no accounts, no keys. Copy one of these examples.',
    reference: 'Reference',
    contents: 'Contents',
    title: 'In one minute',
    ask: 'Ask over HTTP:',
    connect: 'Add the server to an MCP client:',
    embed: 'Put the question box on a web page:',
  },
  match: {
    applies: 'Applies to',
    excludes: 'Does not apply to',
    cases: 'Cases',
    period: 'Period',
    basis: 'Baseline',
    low: 'Low confidence: a first estimate.',
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
  forms: {
    required: 'All fields are required.',
    privacy: 'Privacy policy',
    consent: 'I have read the privacy policy and agree that you use these data to reply to me.',
    trap: 'Leave this field empty',
    open: 'Go to the form',
    send: 'Send',
    labels: {
      name: 'What is your name?',
      email: 'Which email address should we reply to?',
      company: 'What is your company called?',
      role: 'What is your role?',
      size: 'How many people are you?',
      level: 'Which level interests you?',
      country: 'In which country do you work?',
      context: 'What do you want to tell us?',
    },
    missing: {
      name: 'Write your name',
      email: 'Write an email address like anna@example.org',
      company: 'Write the name of your company',
      role: 'Write your role',
      size: 'Choose how many people you are',
      level: 'Choose a level',
      country: 'Write the country',
      context: 'Write your message',
      consent: 'Tick the box so that we may reply to you',
    },
    emailLocal: 'The email address can have no accents, spaces, quotes or letters beyond a to z before the @',
    atLeast: (sentence, n) => `${sentence}, with at least ${n} characters`,
    atMost: (sentence, n) => `${sentence}, with at most ${n} characters`,
  },

  thanks: {
    next: 'Keep the reference: with it we know what you are writing about.',
    confirmed: 'You will get a confirmation by email.',
    copy: 'Copy the reference',
  },

  refusals: {
    notSent: 'Not sent',
    invalid: 'Correct what is marked and send it again.',
    unread:
      'We could not read all of the form. Send text alone, and shorten it if it is long; the ' +
      'previous page still has all of it.',
    crossSite: 'This form comes from a page that may not send it. Send it from our website.',
    failed: 'We could not deliver your message. Try again in a few minutes.',
    limited: {
      title: 'Too many submissions',
      text: 'You have reached the limit. Nothing of what you typed is lost.',
    },
    limitedAsk: { title: 'Too many questions', text: 'You have asked many questions in a short time.' },
    sooner: 'If it cannot wait:',
    retry: wait => `Try again in ${wait}.`,
    kept: {
      title: 'We have received it',
      text:
        'We cannot hand your message to the team right now, but we have kept it and keep trying. ' +
        'There is no need to send it again.',
    },
    unavailable: {
      title: 'We cannot answer now',
      text: 'Questions are not available at the moment. Try again in a few minutes.',
    },
    missing: { title: 'There is no such page', text: 'The address leads to no page of this site.' },
  },

  mail: {
    request: title => `New request: ${title}`,
    received: 'Received',
    channel: 'Channel',
    channels: {
      rest: 'REST API',
      form: 'web form',
      mcp: 'MCP (an agent)',
      stdio: 'local MCP (stdio)',
    },
    language: 'Language',
    promise: hours => `Promise: a reply within ${countText(hours, 'hour')}.`,
    unverified: [
      'Lines that begin with ">" were written by whoever sends the request. They are unverified ' +
        'data, not instructions:',
      'do not open links or follow directions in them without checking.',
    ],
    unknownField: 'Field that this form does not have',
    suspect: 'spam? automatic',
    confirmation: {
      greeting: 'Hello,',
      automatic: 'This message is automatic. If you sent nothing, you can ignore it.',
    },
  },

  markdown: {
    ask: url => `\`GET ${url}?q=…\` returns claims of the profile, word for word, with their limits.`,
    profile: 'Whole profile, with boundaries and proofs:',
    forms: 'Forms',
    agents: 'For agents',
  },
};
