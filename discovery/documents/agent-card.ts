import { SERVICE } from '../../tools/service-facts.ts';
import { isQuestion } from '../../tools/tool.ts';
import { A2A_PATH, type Documents, jsonDocument, targets } from './document.ts';
import { exampleArguments } from './examples.ts';
import { serverSentence, trust } from './guidance.ts';
import type { Site } from './site.ts';

/** Version of the A2A protocol, as its header names it. */
export const A2A_VERSION = '1.0';

/**
 * The agent card of A2A 1.0. It has one skill, to ask: A2A takes no submissions, MCP does. Without the
 * endpoint the card names no interface.
 */
export function agentCard(site: Site, documents: Documents): string {
  const { baseUrl, off, serverInfo, tools } = site;
  const [documentation] = targets(site, documents, '/docs', '/llms.txt');
  return jsonDocument({
    name: serverInfo.title,
    description:
      `${serverSentence(site)} It answers questions with claims of its brand profile, verbatim. ` +
      `${trust(site)}`,
    version: SERVICE.version,
    supportedInterfaces: off.has('a2a')
      ? []
      : [{ url: `${baseUrl}${A2A_PATH}`, protocolBinding: 'JSONRPC', protocolVersion: A2A_VERSION }],
    provider: { organization: serverInfo.title, url: baseUrl },
    ...(documentation && { documentationUrl: documentation.href }),
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['application/json', 'text/plain'],
    skills: tools.filter(isQuestion).map(tool => ({
      id: tool.name,
      name: tool.title,
      description: tool.description,
      tags: ['brand', 'claims', 'proofs', 'read-only'],
      examples: Object.values(exampleArguments(tool, site) ?? {}),
    })),
  });
}
