import { basename } from 'node:path';
import { keysBeside } from '../../brand/trust/keys.ts';
import { ownCommand, quoted } from '../terminal/own-command.ts';
import type { CheckReport, Finding } from './check-profile.ts';

/** One line a finding, as compilers write them, so that editors jump to it. */
export function findingLines(file: string, { faults, warnings }: CheckReport): string[] {
  return [
    ...faults.map(finding => line(file, 'fault', finding)),
    ...warnings.map(finding => line(file, 'warning', finding)),
  ];
}

function line(file: string, kind: string, { line: at, claim_id, path, message, fix: help }: Finding): string {
  const member = claim_id === undefined ? path : path.replace(/^claims\[\d+\]\.?/, '');
  const fix = help && asTyped(help, file);
  const where = [claim_id, member].filter(Boolean).join(', ');
  return `${basename(file)}:${at ?? 1}: ${kind}: ${where && `${where}: `}${message}${fix === undefined ? '' : ` (${fix})`}`;
}

/** `aval sign FILE --key KEY` as it works here, with the key where `aval init` puts it. */
function asTyped(fix: string, file: string): string {
  const key = keysBeside(file).replace(/\.jwks\.json$/, '.key.json');
  return fix.replace('aval sign FILE --key KEY', `${ownCommand().here} sign ${quoted(file)} --key ${quoted(key)}`);
}
