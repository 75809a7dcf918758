import { withoutDonorClaim } from '@almoner/domain/access'
import {
  checkDevices,
  checkLinkRounds,
  checkNodes,
  checkPauses,
  checkRetention,
  checkSchedules,
  checkYears,
  type FindingCode,
  type Findings,
  type HealthFinding,
  liveNodes,
} from '@almoner/domain/operations'
import type { Provider } from '@almoner/domain/people'
import * as O from 'fp-ts/lib/Option.js'
import type { OpenDatabase } from '../../composition/database.ts'
import { identityTexts, readIdentities } from '../../composition/node.ts'
import { SETTINGS, type Settings, sharedSettings } from '../../config/definitions.ts'
import { fromDatabase, notAvailable, orFail } from '../../failure.ts'
import { joinedAdvice } from '../portfolio.ts'
import { adviceFor } from '../push.ts'
import { type Check, type Found, fault, ok, warning } from './finding.ts'
import { openStorage } from './media.ts'

type Values = Readonly<Record<string, string>>
type Texts = Readonly<Partial<Record<FindingCode, (values: Values) => Found>>>

/** Makes a check of the domain one of the doctor's. Without a database of the current schema there is nothing to find. */
const check = (
  name: string,
  look: (database: OpenDatabase, settings: Settings) => Findings,
  whenInOrder: string,
  texts: Texts,
): Check => {
  const inWords = ({ code, values }: HealthFinding): Found => texts[code]?.(values) ?? ok(whenInOrder)
  return {
    name,
    asks: 'the database',
    look: async ({ database, settings }) =>
      database === undefined ? [] : (await fromDatabase(look(database, settings))).map(inWords),
  }
}

/** Compares the connections that all nodes may open, past a pooler those alone which listen, with the limits of the server. */
const crowding = async (
  { connectionLimit }: OpenDatabase,
  { databasePool, databaseListen, workers }: Settings,
  nodes: number,
): Promise<ReadonlyArray<Found>> => {
  const most = connectionLimit === undefined ? Infinity : await fromDatabase(connectionLimit())
  const each = O.isSome(databaseListen) ? 1 : databasePool.requests + databasePool.streams + 1
  const all = each * workers * nodes
  if (all <= most) return []
  const what = `${nodes} servers with ${workers} workers may open ${all} connections, and the database allows ${most}`
  const fix =
    'raise max_connections of the server, or the limit of the role or the database; or lower ALMONER_DATABASE_POOL; or set ALMONER_DATABASE_LISTEN and let ALMONER_DATABASE name a pooler'
  return [warning('database-crowded', what, fix)]
}

/** Checks that the running nodes and the settings here agree on all that nodes must share. */
export const nodesCheck: Check = {
  name: 'nodes',
  asks: 'the database',
  look: async (examination) => {
    const { database, settings } = examination
    if (database === undefined) return []
    const { store, clock } = database
    const ports = { nodes: store.nodes, clock }
    const mediaStore = (await openStorage(examination))?.mediaStore
    const { storageIdentity } = store
    const identities = await orFail(
      readIdentities({ storageIdentity, mediaStore, since: database.migrator.since }),
      notAvailable('the database or the image storage'),
    )
    const here = { name: 'here', settings: { ...sharedSettings(settings), ...identityTexts(identities) } }
    const differing = (await fromDatabase(checkNodes(ports, [here]))).filter(({ level }) => level !== 'ok')
    const fix = 'set the same values on all nodes, mount the same storage, and restart the nodes that differ'
    if (differing.length > 0)
      return differing.map(({ values: { setting, holders } }) =>
        fault('nodes-differ', `${setting} is not the same everywhere; ${holders}`, fix),
      )
    const running = await fromDatabase(liveNodes(ports))
    const names = running.map(({ name }) => name).join(', ')
    const found = ok(
      names === '' ? 'no server runs on this database' : `with the same settings as here: ${names}`,
    )
    return [found, ...(await crowding(database, settings, Math.max(1, running.length)))]
  },
}

const originIn = ({ provider, server }: Values): string => `${provider}${server === '' ? '' : ` ${server}`}`

const pauseText = (values: Values): string =>
  `${originIn(values)} is paused since ${values['since']}: ${values['reason']}`

/** Checks that no provider is paused (G5). */
export const pausesCheck = check(
  'pauses',
  ({ store, clock }) => checkPauses({ providers: store.providers, clock }),
  'no provider is paused',
  {
    'pause-unregistered': (values) =>
      fault(
        'pause-unregistered',
        pauseText(values),
        `see that the credentials are those that the app registers with; then almoner devices restore --provider ${values['provider']} and almoner push resume ${values['provider']}`,
      ),
    'pause-operator': (values) =>
      warning('pause-operator', pauseText(values), `run almoner push resume ${values['provider']}`),
    'pause-silent': (values) =>
      warning(
        'pause-silent',
        pauseText(values),
        `see that ${originIn(values)} can be reached from this machine; it is tried again by itself, or at once after almoner push resume ${values['provider']}`,
      ),
    'pause-refused': (values) => {
      const { provider = '', reason = '' } = values
      const advice = adviceFor(provider as Provider, reason)
      const fix = `${advice}; it is tried again by itself, or at once after almoner push resume ${provider}`
      return fault('pause-refused', pauseText(values), fix)
    },
  },
)

/** Checks that no devices are attached to which nothing can be sent (F5). */
export const devicesCheck = check(
  'devices',
  ({ store }) => checkDevices(store),
  'every device can be sent to by its kind',
  {
    'devices-unroutable': ({ count }) =>
      warning(
        'devices-unroutable',
        `devices whose token is of no known kind: ${count}. Nothing can be sent to them`,
        'let the app send its tokens with a prefix such as fcm: or apns:, or set ALMONER_PUSH_DEFAULT; they are known once they are attached again',
      ),
  },
)

/** Checks that the latest round of checks of links counted (C17). */
export const linksCheck = check(
  'links',
  ({ store }) => checkLinkRounds(store),
  'the latest round of checks of links counted, if there was one',
  {
    'links-void': ({ at, hosts, unreached }) =>
      warning(
        'links-void',
        `the round of checks of links that ended ${at} counts for none: ${unreached} of ${hosts} hosts failed by name or connection`,
        'see that this machine resolves names and reaches the internet, or set ALMONER_LINK_CHECK to proxy or off',
      ),
  },
)

const FIX_OVERDUE =
  'keep a server running on this database: it deletes them every hour; if one runs, look in its log for "job failed"'

/** Checks that no more is stored of ended notifications than the settings say (G8). */
export const retentionCheck = check(
  'retention',
  ({ store, clock }, settings) => checkRetention({ retention: store.retention, clock }, settings),
  'no more is stored of ended notifications than the settings say',
  {
    'retention-rows': ({ ended, days }) =>
      warning(
        'retention-rows',
        `per-device rows of notifications that ended ${ended} are stored, although ALMONER_DELIVERY_DAYS is ${days}`,
        FIX_OVERDUE,
      ),
    'retention-notifications': ({ ended, days }) =>
      warning(
        'retention-notifications',
        `notifications that ended ${ended} are stored, although ALMONER_NOTIFICATION_DAYS is ${days}`,
        FIX_OVERDUE,
      ),
  },
)

/** Checks that no schedule of an item has failed (C15). */
export const schedulesCheck = check(
  'schedules',
  ({ store: { history, libraryItems, feedItems }, clock }) =>
    checkSchedules({ history, libraryItems, feedItems, clock }),
  'no schedule of an item has failed',
  {
    'schedules-failed': ({ count, contentType, itemId, missing }) =>
      warning(
        'schedules-failed',
        `schedules of items that failed: ${count}, the latest of ${contentType}/${itemId}, which lacked: ${missing}`,
        'publish the item by hand, or give it what it lacked and a new schedule; the desk of the console lists all of them',
      ),
  },
)

/** Checks that a claim decides who gets the scope of donors (A10). */
export const peopleCheck: Check = {
  name: 'people',
  asks: 'the database',
  look: async ({ database, service: { policy } }) => {
    if (database === undefined) return []
    const found = withoutDonorClaim(await fromDatabase(database.store.clients.all()), policy.idTokens)
    if (found.length === 0) return [ok('no client gives every person the scope user-donor')]
    const ids = found.map(({ id }) => id).join(', ')
    return [
      warning(
        'people-donors',
        `every person of ${SETTINGS.userIssuer.name} gets the scope user-donor by these clients: ${ids}`,
        `set ${SETTINGS.userDonorClaim.name} to the claim of donors, unless all of these people are donors`,
      ),
    ]
  },
}

/** Checks that callers can ask for every year in which an organization joined (H2). */
export const portfolioCheck: Check = {
  name: 'portfolio',
  asks: 'the database',
  look: async ({ database, settings }) => {
    if (database === undefined) return []
    const [found] = await fromDatabase(checkYears(database.store, settings))
    const years = found?.values['years']?.split(', ') ?? []
    const advice = joinedAdvice(settings, years.map(Number))
    return [
      advice === undefined
        ? ok('?joined= takes the years of all organizations')
        : warning('years-outside', advice.what, advice.fix),
    ]
  },
}
