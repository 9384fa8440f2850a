import { closestMatch } from 'leven';
import { type Environment, VARIABLES } from './config.ts';

/** Warns of each environment variable that looks like one of ours and has no effect. */
export function unknownSettings(environment: Environment): string[] {
  return Object.keys(environment).flatMap(variable => {
    const name = variable.replace(/^\uFEFF/, '');
    const meant = meantBy(name);
    return meant === undefined ? [] : [`${name} is no setting and has no effect; did you mean ${meant}?`];
  });
}

/**
 * The setting that an unknown name is nearest to. TRUSTED_PROXY means TRUSTED_PROXIES, LIMIT_ASK one of
 * LIMIT_….
 */
function meantBy(name: string): string | undefined {
  const known = VARIABLES.flatMap(one => [one.name, `${one.name}_FILE`]);
  if (name.length < SHORTEST_COMPARED || known.includes(name)) return undefined;
  const meant = closestMatch(name, known, { maxDistance: MOST_WRONG });
  if (meant?.[0] === name[0]) return meant;
  const [group] = OUR_PREFIXES.filter(prefix => name.startsWith(prefix));
  return group && known.filter(one => one.startsWith(group) && !one.endsWith('_FILE')).join(' or ');
}

/** HOME is two letters from HOST, but no misspelling. */
const SHORTEST_COMPARED = 6;

/** PROXY for PROXIES is three. */
const MOST_WRONG = 3;

/** No other program's variables begin like these. */
const OUR_PREFIXES = ['LIMIT_', 'TRUSTED_', 'BRAND_', 'ASK_LOG', 'ENCODER_'];
