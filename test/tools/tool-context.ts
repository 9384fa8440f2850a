import type { ToolContext } from '../../tools/tool.ts';

/** What a tool may use that an agent calls, without a brand unless one is given; each submission is delivered. */
export const toolContext = (changes: Partial<ToolContext> = {}): ToolContext => ({
  brand: undefined,
  mode: 'production',
  now: () => new Date('2026-11-21T00:00:00Z'),
  origin: { channel: 'mcp', clientHash: 'client' },
  deliver: async () => ({ outcome: 'delivered', id: '1', reference: 'ABCD-1234', confirmation: 'pending' }),
  ...changes,
});
