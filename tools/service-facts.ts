/** Name, versions and promises of the service, for every card, document and status line. */
export const SERVICE = {
  name: 'aval',
  title: 'Aval',
  /** Equals the version in package.json; a test keeps them together. */
  version: '0.2.0',
  /** Major version of the REST API, as sent in `API-Version`. */
  apiVersion: '1',
  /** Confirmations by mail to one address in an hour and a day, and an hour for one network of senders; more wait. */
  confirmations: { perHour: 10, perDay: 20, perNetworkHour: 60 },
} as const;
