import * as E from 'fp-ts/lib/Either.js'
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientRole, type InsufficientScope, permitted } from '../access/caller.ts'
import { type FailedSchedule, failedSchedules } from '../content/due-schedules.ts'
import { isVoid, type LinkRounds } from '../content/links.ts'
import { isOverdue } from '../delivery/batch.ts'
import { NO_ANSWER, PAUSED_BY_OPERATOR, type Pause, providerOf, serverOf } from '../delivery/origins.ts'
import { pausesAmong } from '../delivery/settle.ts'
import type { ManagerPolicy } from '../managers/ports.ts'
import { type SweepRefusal, sweepRefusal } from '../media/model.ts'
import { yearsOutside } from '../portfolio/lists.ts'
import { WHOLE_COLLECTION } from '../values/page.ts'
import { parameters } from '../values/parameters.ts'
import { attempt, orThrowCause, type Unavailable } from '../values/ports.ts'
import { type Instant, toRfc3339 } from '../values/time.ts'
import { liveNodes, sharedTask } from './figures.ts'
import { type FindingCode, type HealthFinding, type Host, inOrder, SILENT_HOST } from './model.ts'
import type { Node, OperationsPorts } from './ports.ts'
import { makeCountOrphans, makeMatchStorage, mayAdoptStorage, type SweepPorts } from './sweep.ts'

/** A node as far as its settings are compared. */
export type ConfiguredNode = Pick<Node, 'name' | 'settings'>

/** A setting that is not the same on all nodes. */
export interface DifferingSetting {
  readonly setting: string
  /** The values, each with the nodes that have it. */
  readonly holders: ReadonlyArray<{ readonly value: string; readonly nodes: ReadonlyArray<string> }>
}

/** Returns the settings that are not the same on all nodes. A node of another version may not know a setting, and has none. */
export const differingSettings = (nodes: ReadonlyArray<ConfiguredNode>): ReadonlyArray<DifferingSetting> => {
  const names = [...new Set(nodes.flatMap(({ settings }) => Object.keys(settings)))]
  return names
    .map((setting) => {
      const knowing = nodes.filter(({ settings }) => settings[setting] !== undefined)
      const values = [...new Set(knowing.map(({ settings }) => settings[setting] ?? ''))]
      const holders = values.map((value) => ({
        value,
        nodes: knowing.filter(({ settings }) => settings[setting] === value).map(({ name }) => name),
      }))
      return { setting, holders }
    })
    .filter(({ holders }) => holders.length > 1)
}

/** The findings of one check; at least one. */
export type Findings = TE.TaskEither<Unavailable, ReadonlyArray<HealthFinding>>

const orInOrder = (check: string, found: ReadonlyArray<HealthFinding>): ReadonlyArray<HealthFinding> =>
  found.length === 0 ? [inOrder(check)] : found

const codeOfPause = ({ reason, kind }: Pause): FindingCode => {
  if (kind !== 'stopped') return reason === NO_ANSWER ? 'pause-silent' : 'pause-refused'
  return reason === PAUSED_BY_OPERATOR ? 'pause-operator' : 'pause-unregistered'
}

const pauseFinding = (pause: Pause): HealthFinding => {
  const { origin, reason, since, until } = pause
  const [provider, server] = [providerOf(origin), serverOf(origin)]
  const times = { since: toRfc3339(since), until: O.getOrElse(() => '')(O.map(toRfc3339)(until)) }
  const code = codeOfPause(pause)
  const level = code === 'pause-operator' || code === 'pause-silent' ? 'warning' : 'fault'
  return { check: 'pauses', level, code, values: { provider, server, reason, ...times } }
}

/** Checks that no provider is paused (G5). */
export const checkPauses = ({ providers, clock }: Pick<OperationsPorts, 'providers' | 'clock'>): Findings =>
  TE.map((states: Parameters<typeof pausesAmong>[0]) =>
    orInOrder('pauses', pausesAmong(states).map(pauseFinding)),
  )(providers.states(clock.now()))

/** Checks that no devices are attached to which nothing can be sent (F5). */
export const checkDevices = ({ devices }: Pick<OperationsPorts, 'devices'>): Findings =>
  TE.map((count: number): ReadonlyArray<HealthFinding> => {
    const values = { count: String(count) }
    return count === 0
      ? [inOrder('devices')]
      : [{ check: 'devices', level: 'warning', code: 'devices-unroutable', values }]
  })(devices.countUnroutable())

/** Checks that the latest round of checks of links counted (C17). */
export const checkLinkRounds = ({ linkFindings }: Pick<OperationsPorts, 'linkFindings'>): Findings =>
  TE.map(({ ended }: LinkRounds): ReadonlyArray<HealthFinding> => {
    if (O.isNone(ended) || !isVoid(ended.value)) return [inOrder('links')]
    const { at, hosts, unreached } = ended.value
    const values = { at: toRfc3339(at), hosts: String(hosts), unreached: String(unreached) }
    return [{ check: 'links', level: 'warning', code: 'links-void', values }]
  })(linkFindings.rounds())

/** Checks that no more is stored of ended notifications than the policy says (G8). */
export const checkRetention = (
  { retention, clock }: Pick<OperationsPorts, 'retention' | 'clock'>,
  { deliveryDays, notificationDays }: Pick<ManagerPolicy, 'deliveryDays' | 'notificationDays'>,
): Findings =>
  pipe(
    retention.oldestEnded(),
    TE.map(({ deliveryRows, notification }) => {
      const now = clock.now()
      const overdue = (
        code: FindingCode,
        ended: O.Option<Instant>,
        days: O.Option<number>,
      ): ReadonlyArray<HealthFinding> => {
        if (O.isNone(ended) || O.isNone(days) || !isOverdue(ended.value, now, days.value)) return []
        const values = { ended: toRfc3339(ended.value), days: String(days.value) }
        return [{ check: 'retention', level: 'warning', code, values }]
      }
      return orInOrder('retention', [
        ...overdue('retention-rows', deliveryRows, O.some(deliveryDays)),
        ...overdue('retention-notifications', notification, notificationDays),
      ])
    }),
  )

/** Checks that no schedule of an item has failed lately (C15). */
export const checkSchedules = (
  ports: Pick<OperationsPorts, 'history' | 'libraryItems' | 'feedItems' | 'clock'>,
): Findings =>
  TE.map(([first, ...rest]: ReadonlyArray<FailedSchedule>): ReadonlyArray<HealthFinding> => {
    if (first === undefined) return [inOrder('schedules')]
    const { contentType, itemId, missing } = first
    const values = { count: String(rest.length + 1), contentType, itemId, missing: missing.join(', ') }
    return [{ check: 'schedules', level: 'warning', code: 'schedules-failed', values }]
  })(failedSchedules(ports))

const codeOfRefusal = (refusal: SweepRefusal): FindingCode => `images-${refusal}`

const imagesCode = (ports: SweepPorts): TE.TaskEither<Unavailable, O.Option<FindingCode>> =>
  pipe(
    makeMatchStorage(ports)(),
    TE.flatMap((match) => {
      if (match !== 'other')
        return TE.map(flow(sweepRefusal, O.map(codeOfRefusal)))(makeCountOrphans(ports)())
      return TE.map((mayAdopt: boolean) =>
        O.some<FindingCode>(mayAdopt ? 'images-other-storage' : 'images-unknown'),
      )(mayAdoptStorage(ports))
    }),
  )

/** Checks that the image storage is this database's and that no brake stops the sweep (D6). Lists all images. */
export const checkImages = (ports: SweepPorts): Findings =>
  TE.map(
    (code: O.Option<FindingCode>): ReadonlyArray<HealthFinding> =>
      O.isNone(code)
        ? [inOrder('images')]
        : [{ check: 'images', level: 'fault', code: code.value, values: {} }],
  )(imagesCode(ports))

const ALL = { id: O.none, words: [], joined: O.none }

/** Checks that callers can ask for every year in which an organization joined (H2). */
export const checkYears = (
  { portfolio }: Pick<OperationsPorts, 'portfolio'>,
  policy: Pick<ManagerPolicy, 'joinedYears'>,
): Findings =>
  attempt(async () => {
    const organizations = await orThrowCause(portfolio.organizations(ALL, WHOLE_COLLECTION))
    const years = new Set<number>()
    for await (const batch of organizations.batches) for (const { since } of batch) years.add(since)
    const outside = yearsOutside(
      policy,
      [...years].toSorted((a, b) => a - b),
    )
    if (outside.length === 0) return [inOrder('portfolio')]
    const { first, last } = policy.joinedYears
    const values = { years: outside.join(', '), first: String(first), last: String(last) }
    return [{ check: 'portfolio', level: 'warning', code: 'years-outside', values }]
  })

/** Checks that all running nodes have the same settings. `others` are compared with them. */
export const checkNodes = (
  ports: Pick<OperationsPorts, 'nodes' | 'clock'>,
  others: ReadonlyArray<ConfiguredNode> = [],
): Findings =>
  TE.map((running: ReadonlyArray<ConfiguredNode>) =>
    orInOrder(
      'nodes',
      differingSettings([...running, ...others]).map(({ setting, holders }) => ({
        check: 'nodes',
        level: 'fault',
        code: 'nodes-differ',
        values: {
          setting,
          holders: holders.map(({ value, nodes }) => `${nodes.join(', ')}: ${value}`).join('; '),
        },
      })),
    ),
  )(liveNodes(ports))

/** Parameters of GET /findings. */
export const ListFindings = parameters({ name: 'ListFindings', required: {}, optional: {} })
export type ListFindings = typeof ListFindings._A

const settled = async (check: string, findings: Findings): Promise<ReadonlyArray<HealthFinding>> => {
  const found = await findings()
  const failed: HealthFinding = { check, level: 'fault', code: 'check-failed', values: {} }
  return E.isRight(found) ? found.right : [failed]
}

/** Returns what the checks of the store and of the host find, for operators. Changes nothing (C15, C17, D6, F5, G5, G8, G11, H2). */
export const makeListFindings = (
  ports: OperationsPorts,
  policy: Pick<ManagerPolicy, 'deliveryDays' | 'notificationDays' | 'joinedYears'>,
  host: Host = SILENT_HOST,
) => {
  const examine = sharedTask(
    ports.clock,
    // An operator who has mended something sees it at once; only callers at the same time share a run.
    0,
    async (): Promise<E.Either<never, ReadonlyArray<HealthFinding>>> => {
      const found = await Promise.all([
        host.examine(),
        settled('nodes', checkNodes(ports)),
        settled('images', checkImages(ports)),
        settled('pauses', checkPauses(ports)),
        settled('devices', checkDevices(ports)),
        settled('links', checkLinkRounds(ports)),
        settled('retention', checkRetention(ports, policy)),
        settled('schedules', checkSchedules(ports)),
        settled('portfolio', checkYears(ports, policy)),
      ])
      return E.right(found.flat())
    },
  )
  return (
    caller: Caller,
    _parameters: ListFindings,
  ): TE.TaskEither<InsufficientScope | InsufficientRole, ReadonlyArray<HealthFinding>> =>
    permitted('operate', caller)(() => examine)
}
