/** Name, versions and promises of the service, for every card, document and status line. */
export const SERVICE = {
  name: 'aval',
  title: 'Aval',
  /** Equals the version in package.json; a test keeps them together. */
  version: '0.2.0',
  /** Major version of the REST API, as sent in `API-Version`. */
  apiVersion: '1',
  /** Confirmations by mail that one address gets in 24 hours. */
  confirmationsPerDay: 3,
  /** Confirmations an hour to all addresses together; more wait. */
  confirmationsPerHour: 30,
} as const;
