import { closestMatch } from 'leven';
import { type Environment, VARIABLES } from './config.ts';

/** Warns of each environment variable that looks like one of ours and has no effect. */
export function unknownSettings(environment: Environment): string[] {
  return Object.keys(environment).flatMap(variable => {
    const name = variable.replace(/^\uFEFF/, '');
    const suggestion = nearestSetting(name);
    if (suggestion === undefined) return [];
    return [`${name} is no setting and has no effect; did you mean ${suggestion}?`];
  });
}

/**
 * The setting that an unknown name is nearest to: TRUSTED_PROXY means TRUSTED_PROXIES, LIMIT_ASK means
 * LIMITS.
 */
function nearestSetting(name: string): string | undefined {
  const names = VARIABLES.map(variable => variable.name);
  const withFiles = [...names, ...names.map(variable => `${variable}_FILE`)];
  if (name.length < SHORTEST_COMPARED || withFiles.includes(name)) return undefined;
  const closest = closestMatch(name, withFiles, { maxDistance: MOST_WRONG });
  if (closest?.[0] === name[0]) return closest;
  const prefix = OUR_PREFIXES.find(prefix => name.startsWith(prefix));
  if (prefix === undefined) return undefined;
  return names.filter(variable => variable.startsWith(prefix)).join(' or ');
}

/** HOME is two letters from HOST, but no misspelling. */
const SHORTEST_COMPARED = 6;

/** PROXY for PROXIES is three. */
const MOST_WRONG = 3;

/** No other program's variables begin like these. */
const OUR_PREFIXES = ['LIMIT', 'TRUSTED_', 'BRAND_', 'ASK_LOG', 'ENCODER_'];
