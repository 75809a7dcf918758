/**
 * Interfaces of the systems that the domain uses, for adapters, with the types that their signatures name. Each area's ports.ts has its own;
 * {@link Ports} is all of them.
 * @module @almoner/domain/ports
 */

import type { OperationsPorts } from './operations/ports.ts'

export type * from './access/index.ts'
export * from './access/ports.ts'
export type * from './changes/index.ts'
export * from './changes/ports.ts'
export type * from './content/index.ts'
export * from './content/ports.ts'
export type * from './delivery/index.ts'
export * from './delivery/ports.ts'
export type * from './history/index.ts'
export * from './history/ports.ts'
export type * from './managers/index.ts'
export * from './managers/ports.ts'
export type * from './media/index.ts'
export * from './media/ports.ts'
export type * from './notifications/index.ts'
export * from './notifications/ports.ts'
export type * from './operations/index.ts'
export * from './operations/ports.ts'
export type * from './people/index.ts'
export * from './people/ports.ts'
export type * from './personal-data/index.ts'
export * from './personal-data/ports.ts'
export type * from './portfolio/index.ts'
export * from './portfolio/ports.ts'
export type * from './values/index.ts'
export {
  type Clock,
  type CommonPolicy,
  type CommonPorts,
  elapsed,
  type Ids,
  isUnavailable,
  NEVER_STOPPED,
  type NothingDone,
  type OutcomeUnknown,
  outcomeUnknown,
  type Random,
  type StopSignal,
  type Timer,
  type Unavailable,
  unavailable,
  watchHold,
} from './values/ports.ts'

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
  waitingFeeds: true,
  previewTokens: true,
  failedAttempts: true,
  failureLog: true,
  requestLog: true,
  idempotencyKeys: true,
  idTokens: true,
  libraryItems: true,
  feedItems: true,
  feedAuthors: true,
  proposals: true,
  history: true,
  changes: true,
  labels: true,
  translations: true,
  linkChecker: true,
  linkFindings: true,
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
  inbox: true,
  retention: true,
  providers: true,
  nodes: true,
  jobLeases: true,
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
