/** One fault that somebody could make, as a change of one text in one file. */
export interface PlantedFault {
  readonly file: string;
  /** What is wrong then, in a sentence. */
  readonly fault: string;
  /** Stands exactly once in the file. */
  readonly text: string;
  readonly becomes: string;
  /** Files in test/ that ought to notice, without `.test.ts`. */
  readonly tests: readonly string[];
}

export const FAULTS: readonly PlantedFault[] = [
  {
    file: 'server/outbox/breaker.ts',
    fault: 'every request probes a mail server that is down',
    text: '      if (isOpen()) nextAtMs = now() + probeEveryMs;\n      return true;',
    becomes: '      return true;',
    tests: ['outbox-rules'],
  },
  {
    file: 'server/outbox/sender.ts',
    fault: 'a permanent refusal counts as mail being down',
    text: "result.kind !== 'permanent' && breaker.failed()",
    becomes: 'breaker.failed()',
    tests: ['outbox-rules'],
  },
  {
    file: 'server/outbox/confirmation.ts',
    fault: 'our own mailbox is only recognised without a +tag',
    text: 'const mailbox = mailboxOf(address);',
    becomes: 'const mailbox = address.toLowerCase();',
    tests: ['outbox-rules'],
  },
  {
    file: 'server/outbox/store/erasure.ts',
    fault: 'an erased submission keeps what is due',
    text: 'request = NULL, due_at = NULL, erased_at',
    becomes: 'request = NULL, erased_at',
    tests: ['outbox-rules'],
  },
  {
    file: 'server/outbox/store/erasure.ts',
    fault: 'what was erased before its confirmation never finishes',
    text: '    await inside(sql`UPDATE submissions SET finished_at = ${nowMs} WHERE ${theirs} AND finished_at IS NULL`);\n',
    becomes: '',
    tests: ['outbox-rules'],
  },
  {
    file: 'server/outbox/store/erasure.ts',
    fault: 'a purge leaves the text in the log of the database',
    text: '  if (erased.length > 0) await forgetLog(database);\n',
    becomes: '',
    tests: ['outbox-rules'],
  },
  {
    file: 'server/outbox/store/sending.ts',
    fault: 'a second delivery of one submission is noted again',
    text: "if (!before || before.state === 'delivered') return undefined;",
    becomes: 'if (!before) return undefined;',
    tests: ['outbox-rules'],
  },
  {
    file: 'server/outbox/store/identity.ts',
    fault: 'a submission that was given up is replayed by its key',
    text: " AND state <> 'abandoned'",
    becomes: '',
    tests: ['outbox-rules'],
  },
  {
    file: 'discovery/look/html.ts',
    fault: 'a profile can end the script of the page',
    text: `JSON.stringify(value).replaceAll('<', '\\\\u003c')`,
    becomes: 'JSON.stringify(value)',
    tests: ['home'],
  },
  {
    file: 'server/mcp/methods.ts',
    fault: 'a cancelled action keeps its slots',
    text: '    await giveBack();\n    throw CANCELLED;',
    becomes: '    throw CANCELLED;',
    tests: ['mcp-cancellation'],
  },
  {
    file: 'rest/forms/reserved-fields.ts',
    fault: 'a note of any length goes into the mail',
    text: 'value.slice(0, MAX_NOTE)',
    becomes: 'value',
    tests: ['pages'],
  },
  {
    file: 'brand/retrieval/scores/pacer.ts',
    fault: 'long work is served first come, first served',
    text: 'one.pieces < least.pieces ? one : least',
    becomes: 'least ?? one',
    tests: ['pacer'],
  },
];
