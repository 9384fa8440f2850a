/** Commands of earlier versions, and what to do instead. */
const RETIRED: Readonly<Record<string, string>> = {
  draft: 'write the claims in a spreadsheet (aval export claims.csv, aval import claims.csv) or in aval studio',
  report: 'aval asked lists what people asked, questions without a good answer first',
  keygen: 'aval sign makes the keys where there are none; aval sign --new-key FILE makes another',
  diff: 'aval sign --since OLD shows what changed before it asks',
  'verify-answer': 'aval verify takes an answer as well as a profile',
  variables: 'aval serve --help lists the settings, and so does .env.example',
  schema: 'aval init writes schemas/brand-profile.v1.json beside the profile',
  registry: 'docs/mcp.md says how to list a server in the registry',
  embed: 'docs/website.md has the lines for your page',
  backup: 'aval outbox backup FILE',
  restore: 'aval outbox restore FILE',
  'outbox stats': '/metrics counts submissions, and aval outbox list names them',
  'outbox abandon': 'aval outbox erase --email ADDRESS drops what a person sent; what cannot be mailed ends by itself',
  'outbox audit': 'the record of operators stays in the table audit of the database',
  'outbox purge': 'the setting RETENTION_DAYS erases what was finished longer ago',
};

/** What to do instead of a command that this version does not have. */
export function insteadOf([command = '', inner = '']: readonly string[]): string | undefined {
  const name = [`${command} ${inner}`, command].find(known => Object.hasOwn(RETIRED, known));
  return name && `aval ${name} is no command any more: ${RETIRED[name]}`;
}
