/**
 * Aval inside another Node.js program: the listener in a site's own server, its tools on an MCP server that is there
 * already, a signed profile to ask, an answer to verify. docs/library.md has an example of each.
 */
export type { Boundary, Claim, Metric, Profile, Proof } from '../../brand/profile/schema.ts';
export type { Answer, Brand, Match } from '../../brand/retrieval/brand.ts';
export type { Log } from '../config/log.ts';
export type { Middleware } from '../http/middleware.ts';
export type { CallResult } from '../mcp/messages.ts';
export type { SourceOptions } from '../run/profile-source.ts';
export { type AvalServer, createServer, type ServerOptions, type Settings } from './create-server.ts';
export {
  type AnswerProof,
  type OpenedBrand,
  openBrand,
  type VerifyAnswerOptions,
  verifyAnswer,
} from './profile.ts';
export type { RegisteredTool, Selected, Selection, ToolName } from './tools.ts';
export { type RegisterOptions, registerTools, type ToolHost } from './tools.ts';
