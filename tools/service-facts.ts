/** Name, versions and promises of the service, for every card, document and status line. */
export const SERVICE = {
  name: 'aval',
  title: 'Aval',
  /** Equals the version in package.json; a test keeps them together. */
  version: '0.2.0',
  /** Major version of the REST API, as sent in `API-Version`. */
  apiVersion: '1',
  /**
   * Bounds on confirmations: to one mailbox in an hour and in a day; in an hour for one network of senders
   * and for the service. Further ones wait. A client may submit ten times an hour by REST and five by MCP, so
   * a mailbox may get fifteen.
   */
  confirmations: { perHour: 15, perDay: 30, perNetworkHour: 60, perServiceHour: 300 },
} as const;
