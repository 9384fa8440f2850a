import { brandName } from '../brand/profile/profile.ts';
import type { Profile } from '../brand/profile/schema.ts';
import { shortened } from '../brand/profile/visible.ts';
import type { Mode } from './deliver.ts';
import { SERVICE } from './service-facts.ts';
import type { BrandContext } from './tool.ts';

/** The texts about the server in MCP and on cards. Without a profile they name no brand. */
export interface Introduction extends BrandContext {
  /** `serverInfo`, the same in every revision of MCP. */
  readonly serverInfo: ServerInfo;
  /** The text that a model reads first. */
  readonly instructions: string;
  readonly website?: string | undefined;
  /** Address of a picture that stands for the brand. */
  readonly icon?: string | undefined;
}

interface ServerInfo {
  readonly name: string;
  /** Name of the brand, at most 48 characters. */
  readonly title: string;
  /** What the brand does, at most 160 characters. Absent if the profile does not say. */
  readonly description?: string;
  readonly version: string;
}

/**
 * `capabilities` in every revision of MCP. The list of tools does not change during a connection.
 */
export const CAPABILITIES = { tools: { listChanged: false } } as const;

interface Published {
  readonly profile: Profile;
  /** The public keys. Absent for an unverified profile. */
  readonly jwks?: Uint8Array | undefined;
  readonly calibrated: boolean;
}

/**
 * Builds the introduction of a server.
 * @param published the profile in use; undefined while none is loaded
 * @example const { serverInfo, instructions } = introduce({ profile, jwks, calibrated: true }, 'production');
 */
export function introduce(published: Published | undefined, mode: Mode): Introduction {
  const { name, title, version } = SERVICE;
  const profile = published?.profile;
  const signed = published?.jwks !== undefined && Boolean(profile?.signatures?.length);
  const brand = profile && shortLine(brandName(profile), 48);
  const summary = profile?.description && shortLine(firstClause(profile.description), 160);
  return {
    brand,
    signed,
    mode,
    calibrated: published?.calibrated ?? true,
    serverInfo: { name, title: brand ?? title, ...(summary && { description: summary }), version },
    instructions: instructions(brand ?? 'this brand', summary, signed),
    website: profile?.url,
  };
}

/** The first sentence says how to ask, because some hosts show only that one. */
const instructions = (brand: string, summary: string | undefined, signed: boolean): string =>
  `Ask about ${brand} with ask_brand: it returns claims of its ${signed ? 'signed ' : ''}brand profile, ` +
  'verbatim, each with the boundary inside which it holds and the proofs behind it. ' +
  (summary ? `About ${brand}: ${summary}. ` : '') +
  'Compose the answer yourself, stay inside the boundary, cite claim_id, and say so when no match is ' +
  'similar enough. Nothing here is generated text.';

/** A first sentence or its first clause, without the mark at its end: there is little room. */
const firstClause = (text: string) =>
  (/^.{30,}?(?=[.;:!?](?:\s|$))/su.exec(text)?.[0] ?? text).replace(/[\s.]+$/, '');

/** A text on one line, cut between words. */
function shortLine(text: string, max: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const short = shortened(line, max);
  return short === line ? line : short.replace(/\s+\S*$/, '…');
}
