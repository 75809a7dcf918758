import type { OperationsPorts } from './operations/ports.ts'

/** All that the domain asks of the world. A use case takes the few it needs. */
export type Ports = OperationsPorts

/** The names of all ports; the type makes the list complete. */
const PORT_NAMES: Readonly<Record<keyof Ports, true>> = {
  clock: true,
  ids: true,
  secrets: true,
  clients: true,
  accessTokens: true,
  managers: true,
  sessions: true,
  oneTimeSecrets: true,
  passkeys: true,
  identities: true,
  passwords: true,
  workingCopies: true,
  failedAttempts: true,
  idempotencyKeys: true,
  libraryItems: true,
  feedItems: true,
  feedAuthors: true,
  history: true,
  labels: true,
  translations: true,
  knownImages: true,
  mediaStore: true,
  mediaAddresses: true,
  imageChecker: true,
  users: true,
  personalData: true,
  devices: true,
  deadDevices: true,
  notifications: true,
  deliveries: true,
  retention: true,
  providers: true,
  nodes: true,
  statistics: true,
  storageIdentity: true,
  pushGateway: true,
  random: true,
  timer: true,
  portfolio: true,
  portfolioImages: true,
  portfolioImageChecker: true,
}

/** Returns the names of the ports that a caller without type checks left out. */
export const missingPorts = (ports: Partial<Ports>): ReadonlyArray<string> => {
  const given = new Map(Object.entries(ports))
  return Object.keys(PORT_NAMES).filter((name) => (given.get(name) ?? null) === null)
}
