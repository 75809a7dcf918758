import type { Instant } from '@almoner/domain'
import { isOverdue, type Pause, pausesAmong } from '@almoner/domain/notifications'
import type { Node } from '@almoner/domain/ports'
import { toRfc3339, WHOLE_COLLECTION } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { OpenDatabase } from '../../composition/database.ts'
import type { Settings } from '../../config/definitions.ts'
import { sharedSettings } from '../../config/shared-by-nodes.ts'
import { fromDatabase } from '../../failure.ts'
import { liveNodes } from '../../jobs/nodes.ts'
import { joinedAdvice } from '../portfolio/joined-years.ts'
import { adviceFor } from '../push/advice.ts'
import { type Check, type Found, fault, ok, warning } from './finding.ts'

/** Makes a check of what the database holds. Without a database of the current schema there is nothing to find. */
const check = (
  name: string,
  look: (database: OpenDatabase, settings: Settings) => Promise<ReadonlyArray<Found>>,
): Check => ({
  name,
  look: async ({ database, settings }) => (database === undefined ? [] : look(database, settings)),
})

/** Names the nodes by their value of a setting. A node of another version may not know the setting, and has none. */
const holdersOf = (name: string, nodes: ReadonlyArray<Pick<Node, 'name' | 'settings'>>) => {
  const knowing = nodes.filter(({ settings }) => settings[name] !== undefined)
  const holders = Map.groupBy(knowing, ({ settings }) => settings[name])
  return [...holders].map(([value, some]) => `${some.map((one) => one.name).join(', ')}: ${value}`)
}

/** Checks that the running nodes and the settings here agree on all that nodes must share. */
export const nodesCheck = check('nodes', async ({ store, clock }, settings) => {
  const running = await fromDatabase(liveNodes({ nodes: store.nodes, clock }))
  const nodes = [...running, { name: 'here', settings: sharedSettings(settings) }]
  const names = [...new Set(nodes.flatMap((node) => Object.keys(node.settings)))]
  const found = names.flatMap((name) => {
    const holders = holdersOf(name, nodes)
    if (holders.length === 1) return []
    const fix = 'set the same values on all nodes, and restart the nodes that differ'
    return [fault(`${name} is not the same everywhere; ${holders.join('; ')}`, fix)]
  })
  if (found.length > 0) return found
  if (running.length === 0) return [ok('no server runs on this database')]
  return [ok(`with the same settings as here: ${running.map(({ name }) => name).join(', ')}`)]
})

const pauseFinding = ({ provider, reason, since, until }: Pause): Found =>
  fault(
    `${provider} is paused since ${toRfc3339(since)}: ${reason}`,
    O.isNone(until)
      ? `see that the credentials are those that the app registers with; then almoner devices restore --provider ${provider} and almoner push resume ${provider}`
      : `${adviceFor(provider, reason)}; it is tried again by itself, or at once after almoner push resume ${provider}`,
  )

/** Checks that no provider is paused (G5). */
export const pausesCheck = check('pauses', async ({ store, clock }) => {
  const pauses = pausesAmong(await fromDatabase(store.providers.states(clock.now())))
  return pauses.length === 0 ? [ok('no provider is paused')] : pauses.map(pauseFinding)
})

/** Checks that no devices are attached to which nothing can be sent (F5). */
export const devicesCheck = check('devices', async ({ store }) => {
  const count = await fromDatabase(store.devices.countUnroutable())
  if (count === 0) return [ok('every device can be sent to by its kind')]
  return [
    warning(
      `devices whose token is of no known kind: ${count}. Nothing can be sent to them`,
      'let the app send its tokens with a prefix such as fcm: or apns:, or set ALMONER_PUSH_DEFAULT; they are known once they are attached again',
    ),
  ]
})

const FIX_OVERDUE =
  'keep a server running on this database: it deletes them every hour; if one runs, look in its log for "job failed"'

/** Checks that no more is stored of ended notifications than the settings say (G8). */
export const retentionCheck = check(
  'retention',
  async ({ store, clock }, { deliveryDays, notificationDays }) => {
    const { deliveryRows, notification } = await fromDatabase(store.retention.oldestEnded())
    const now = clock.now()
    const overdue = (what: string, ended: O.Option<Instant>, setting: string, days: O.Option<number>) =>
      O.isSome(ended) && O.isSome(days) && isOverdue(ended.value, now, days.value)
        ? [
            warning(
              `${what} that ended ${toRfc3339(ended.value)} are stored, although ${setting} is ${days.value}`,
              FIX_OVERDUE,
            ),
          ]
        : []
    const rows = 'per-device rows of notifications'
    const found = [
      ...overdue(rows, deliveryRows, 'ALMONER_DELIVERY_DAYS', O.some(deliveryDays)),
      ...overdue('notifications', notification, 'ALMONER_NOTIFICATION_DAYS', notificationDays),
    ]
    return found.length === 0 ? [ok('no more is stored of ended notifications than the settings say')] : found
  },
)

const ALL = { id: O.none, words: [], joined: O.none }

/** Checks that callers can ask for every year in which an organization joined (H2). */
export const portfolioCheck = check('portfolio', async ({ store }, settings) => {
  const { batches } = await fromDatabase(store.portfolio.organizations(ALL, WHOLE_COLLECTION))
  const years = new Set<number>()
  for await (const batch of batches) for (const { since } of batch) years.add(since)
  const organizations = [...years].map((since) => ({ since }))
  const advice = joinedAdvice(settings, organizations)
  if (advice !== undefined) return [warning(advice.what, advice.fix)]
  return [ok('?joined= takes the years of all organizations')]
})
