import { setPriority } from 'node:os';
import { ATTACKS } from './attacks.ts';

/** One attack in a process of its own, so that its work does not delay the bystander's clock: `attacker.ts NAME TARGET`. */
// An attacker has a machine of its own: here it takes the processor time that server and bystander leave.
setPriority(19);

const [, , name = '', target = '{}'] = process.argv;
const strokes = await ATTACKS[name]?.(JSON.parse(target));
process.stdout.write(`${strokes}\n`);
process.exit();
