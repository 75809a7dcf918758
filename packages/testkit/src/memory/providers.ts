import type { TimedAct } from '@almoner/domain/access'
import {
  NEW_HEALTH,
  type Origin,
  type OriginHealth,
  type Pause,
  type ProviderState,
  pausedHealth,
  pauseOf,
  providerChanges,
  providerOf,
  type StoredOrigin,
  statesOf,
  unknownOrigin,
  wholeOf,
} from '@almoner/domain/delivery'
import { DELIVERED, type Push, type PushResult } from '@almoner/domain/notifications'
import type { Provider } from '@almoner/domain/people'
import type { Providers, PushGateway, Retention } from '@almoner/domain/ports'
import type { Instant, NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { recordAct } from './history.ts'
import { dropNotification, progressOf, type Sending, type Tables } from './tables.ts'

/** Returns the stored health of an origin, and the override. */
export const storedIn = ({ origins }: Tables, origin: Origin): StoredOrigin =>
  origins.get(origin) ?? unknownOrigin(origin)

/** The health of an origin. */
export const healthIn = (tables: Tables, origin: Origin): OriginHealth => storedIn(tables, origin).health

/** Stores the health of an origin. */
export const keepHealth = (tables: Tables, origin: Origin, health: OriginHealth): void => {
  tables.origins.set(origin, { ...storedIn(tables, origin), health })
}

/** The state of each provider. */
export const statesIn = ({ origins }: Tables, now: Instant): ReadonlyArray<ProviderState> =>
  statesOf([...origins.values()], now)

/** The pauses in force, by origin. */
export const pausesIn = ({ origins }: Tables, now: Instant): ReadonlyMap<Origin, Pause> =>
  new Map(
    [...origins.values()].flatMap(({ origin, health }) =>
      RA.fromOption(pauseOf(health, now)).map((pause) => [origin, pause] as const),
    ),
  )

/** Changes the stored health of a provider, and records the act if the state differs. */
const changeProvider = (
  tables: Tables,
  provider: Provider,
  now: Instant,
  change: () => void,
  act: TimedAct | undefined,
): void => {
  const state = () => statesIn(tables, now).find((one) => one.provider === provider)
  tables.origins.set(wholeOf(provider), storedIn(tables, wholeOf(provider)))
  const before = state()
  change()
  const after = state()
  const changes = before && after ? providerChanges(before, after) : []
  if (changes.length > 0) recordAct(tables, act, { kind: 'provider', id: provider }, changes)
}

/** The health of providers and origins, in memory. */
export const memoryProviders = (tables: Tables): Providers => ({
  states: (now) => TE.fromIO(() => statesIn(tables, now)),
  pause: (provider, now, act) =>
    TE.fromIO(() => {
      const whole = wholeOf(provider)
      const health = pausedHealth(healthIn(tables, whole), provider, now)
      changeProvider(tables, provider, now, () => keepHealth(tables, whole, health), act)
      return O.toNullable(health.pause) as Pause
    }),
  resume: (provider, { now, overrideUntil }, act) =>
    TE.fromIO(() => {
      const ended = statesIn(tables, now)
        .filter((state) => state.provider === provider)
        .flatMap(({ pause, origins }) => [...RA.fromOption(pause), ...origins])
      const reset = () => {
        const theirs = [...tables.origins.keys()].filter((origin) => providerOf(origin) === provider)
        for (const origin of theirs) keepHealth(tables, origin, NEW_HEALTH)
        tables.origins.set(wholeOf(provider), {
          origin: wholeOf(provider),
          health: NEW_HEALTH,
          overrideUntil,
          overrideSince: now,
        })
      }
      changeProvider(tables, provider, now, reset, act)
      return ended
    }),
})

/** The encoder of all JavaScript runtimes; declared here because the ES library has no type for it. */
const { TextEncoder } = globalThis as unknown as {
  TextEncoder: new () => { encode(text: string): { readonly length: number } }
}

/** A push gateway that stores its pushes. */
export interface MemoryPushGateway extends PushGateway {
  /** All pushes so far, in order. */
  pushes(): ReadonlyArray<Push>
}

/** Returns the result of a push, at once or later. Must not throw. */
export type PushScript = (push: Push) => PushResult | Promise<PushResult>

/** Creates a scripted provider, which measures a message as the UTF-8 of its JSON. @param script takes all unless given */
export const memoryPushGateway = (script: PushScript = () => DELIVERED): MemoryPushGateway => {
  const given: Array<Push> = []
  return {
    bytesOf: (message) => new TextEncoder().encode(JSON.stringify(message)).length,
    send: (push) => async () => {
      given.push(push)
      return script(push)
    },
    pushes: () => [...given],
  }
}

type Ended = readonly [id: NotificationId, sending: Sending, at: Instant]

/** Retention in memory: recipients are replaced by their totals. */
export const memoryRetention = (tables: Tables): Retention => {
  const { notifications, sendings } = tables
  const ended = (): ReadonlyArray<Ended> =>
    [...sendings].flatMap(
      ([id, sending]): ReadonlyArray<Ended> =>
        notifications.has(id) && O.isSome(sending.finishedAt)
          ? [[id, sending, sending.finishedAt.value]]
          : [],
    )
  const withRows = () => ended().filter(([, { recipients }]) => recipients.length > 0)
  const first = (all: ReadonlyArray<Ended>): O.Option<Instant> =>
    O.fromNullable(all.map(([, , at]) => at).sort((a, b) => a - b)[0])
  return {
    purgeDeliveries: (endedBy) =>
      TE.fromIO(() => {
        const over = withRows().filter(([, , at]) => at <= endedBy)
        for (const [id, sending] of over)
          sendings.set(id, { ...sending, recipients: [], batches: [], summary: progressOf(sending) })
        return over.reduce((count, [, { recipients }]) => count + recipients.length, 0)
      }),
    purgeNotifications: (endedBy) =>
      TE.fromIO(() => {
        const over = ended().filter(([, , at]) => at <= endedBy)
        for (const [id] of over) dropNotification(tables, id)
        return over.length
      }),
    oldestEnded: () => TE.fromIO(() => ({ deliveryRows: first(withRows()), notification: first(ended()) })),
  }
}
