import type * as z from 'zod';

/** So many faults are listed; a body of thousands of unknown fields would be answered with a text larger than itself. */
const MOST = 20;

/** zod's issues as the contract writes them: `field: rule`, one per fault, unknown fields included. */
export function issueLines(error: z.ZodError): string[] {
  const lines = allLines(error);
  if (lines.length <= MOST) return lines;
  return [...lines.slice(0, MOST), `body: ${lines.length - MOST} more faults`];
}

function allLines(error: z.ZodError): string[] {
  return error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map(key => `${shown(key)}: unknown field`);
    const field = issue.path.length > 0 ? issue.path.map(String).join('.') : 'body';
    return [`${shown(field)}: ${issue.path.length > 0 ? issue.message : 'must be a JSON object'}`];
  });
}

/** A client's own field name, echoed as data: short, on one line. */
function shown(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
