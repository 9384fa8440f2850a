/**
 * Aval inside another Node.js program: the service in a site's own server, its tools on another MCP server, a
 * signed profile to ask, an answer to verify. Settings are arguments; the environment is not read.
 * docs/library.md has an example of each.
 */
export type { Boundary, Claim, Metric, Profile, Proof } from '../../brand/profile/schema.ts';
export type { Answer, Brand, Match } from '../../brand/retrieval/brand.ts';
export type { Log } from '../config/log.ts';
export type { Middleware } from '../http/middleware.ts';
export { type CallableTool, type CallResult, registerTools, type ToolHost } from '../mcp/tools.ts';
export { type AvalServer, createServer, type ServerOptions, type Settings } from './create-server.ts';
export { type AnswerProof, type OpenedBrand, openBrand, verifyAnswer } from './profile.ts';
export type { SourceOptions } from './profile-source.ts';
