import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../access/caller.ts'
import type { ActiveSession } from '../managers/session.ts'
import type { Host } from '../operations/model.ts'
import { DEFAULT_POLICY, type Policy } from '../policy.ts'
import { missingPorts, type Ports } from '../ports.ts'
import { type Promised, promised } from '../values/results.ts'
import { type AccessArea, makeAccessArea } from './access.ts'
import { type ConsoleArea, makeConsoleArea } from './console.ts'
import { type DevicesArea, makeDevicesArea } from './devices.ts'
import { type FeedArea, makeFeedArea } from './feed.ts'
import { type HistoryArea, makeHistoryArea } from './history.ts'
import { type IdentitiesArea, makeIdentitiesArea } from './identities.ts'
import { type LabelsArea, makeLabelsArea } from './labels.ts'
import { type LibraryArea, makeLibraryArea } from './library.ts'
import { type MaintenanceArea, makeMaintenanceArea } from './maintenance.ts'
import { type ManagersArea, makeManagersArea } from './managers.ts'
import { makeNotificationsArea, type NotificationsArea } from './notifications.ts'
import { makeOperationsArea, type OperationsArea } from './operations.ts'
import { makePasskeysArea, type PasskeysArea } from './passkeys.ts'
import { makePasswordsArea, type PasswordsArea } from './passwords.ts'
import { makePortfolioArea, type PortfolioArea } from './portfolio.ts'
import { makeUsersArea, type UsersArea } from './users.ts'

/** All use cases by area. */
export interface AlmonerAreas {
  /** Publications. */
  readonly library: LibraryArea
  /** The news feed. */
  readonly feed: FeedArea
  /** Revisions of items. */
  readonly history: HistoryArea
  /** Bilingual keywords of items. */
  readonly labels: LabelsArea
  /** Languages and subscriptions of users. */
  readonly users: UsersArea
  /** Phones and browsers of users. */
  readonly devices: DevicesArea
  /** Scheduled push notifications. */
  readonly notifications: NotificationsArea
  /** The organizations that the foundation supports. */
  readonly portfolio: PortfolioArea
  /** OAuth clients and tokens. */
  readonly access: AccessArea
  /** Managers, and their way into the console. */
  readonly console: ConsoleArea
  /** Managers, as operators manage them, and sessions. */
  readonly managers: ManagersArea
  /** What operators watch and do. */
  readonly operations: OperationsArea
  /** Passkeys of managers. */
  readonly passkeys: PasskeysArea
  /** Accounts of an identity provider that sign managers in. */
  readonly identities: IdentitiesArea
  /** Passwords of managers. */
  readonly passwords: PasswordsArea
  /** Jobs that keep a store small. */
  readonly maintenance: MaintenanceArea
}

/**
 * The whole domain on one set of ports. Members of the areas return a `TaskEither`, which does nothing until it is called:
 * `await almoner.feed.list(caller, {})()`. Members of `promises` run at once.
 */
export interface Almoner extends AlmonerAreas {
  /** The same areas with promises of plain results: `{ ok: true, value }` or `{ ok: false, error }`. */
  readonly promises: Promised<AlmonerAreas>
  /** The ports given. */
  readonly ports: Ports
  /** The policy in force. */
  readonly policy: Policy
}

/** The names of use cases that take a caller or a session, and never check what it may do: such a use case cannot fail for want of a scope. */
type Unchecked<Area> = {
  [Name in keyof Area]: Area[Name] extends (...given: infer Given) => TE.TaskEither<infer Failure, unknown>
    ? [Extract<Given[number], Caller | ActiveSession>] extends [never]
      ? never
      : InsufficientScope extends Failure
        ? never
        : Name
    : Unchecked<Area[Name]>
}[keyof Area]

/** All areas, unless a use case does not check its caller: then nothing has this type, and the code does not compile (M10). */
type Checked<Areas> = [Unchecked<Areas>] extends [never] ? Areas : never

/** Binds the use cases of all areas to ports and a policy. */
export const makeAreas = (ports: Ports, policy: Policy, host?: Host): Checked<AlmonerAreas> => ({
  library: makeLibraryArea(ports, policy),
  feed: makeFeedArea(ports, policy),
  history: makeHistoryArea(ports, policy),
  labels: makeLabelsArea(ports, policy),
  users: makeUsersArea(ports),
  devices: makeDevicesArea(ports, policy),
  notifications: makeNotificationsArea(ports, policy),
  portfolio: makePortfolioArea(ports, policy),
  access: makeAccessArea(ports, policy),
  console: makeConsoleArea(ports, policy),
  managers: makeManagersArea(ports),
  operations: makeOperationsArea(ports, policy, host),
  passkeys: makePasskeysArea(ports, policy),
  identities: makeIdentitiesArea(ports, policy),
  passwords: makePasswordsArea(ports, policy),
  maintenance: makeMaintenanceArea(ports, policy),
})

const checkPorts = (ports: Ports | undefined): void => {
  const missing = missingPorts(ports ?? {})
  if (missing.length === 0) return
  throw new TypeError(`createAlmoner: the ports lack ${missing.join(', ')}`)
}

/**
 * Binds all use cases to ports.
 *
 * ```ts
 * const almoner = createAlmoner(memoryPorts())
 * const posts = await almoner.promises.feed.list(callerWith('user'), { lim: 10 })
 * ```
 * @param ports all ports, for example `memoryPorts()` of `@almoner/domain/memory`
 * @param policy settings that differ from {@link DEFAULT_POLICY}
 * @param host what the program knows of itself, for `operations`
 * @throws TypeError that names the ports that are missing
 */
export const createAlmoner = (ports: Ports, policy: Partial<Policy> = {}, host?: Host): Almoner => {
  checkPorts(ports)
  const full: Policy = { ...DEFAULT_POLICY, ...policy }
  const areas = makeAreas(ports, full, host)
  return { ...areas, promises: promised(areas), ports, policy: full }
}
