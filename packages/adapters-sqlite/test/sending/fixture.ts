import { deepStrictEqual, ok } from 'node:assert/strict'
import type { Database, Store } from '@almoner/adapters-kysely'
import type { Email, Instant } from '@almoner/domain'
import {
  type Batch,
  type DeliveryResult,
  isHeld,
  leaseFrom,
  type Recipient,
  wholeOf,
} from '@almoner/domain/delivery'
import { OUTCOMES } from '@almoner/domain/notifications'
import { type DeviceId, PROVIDERS } from '@almoner/domain/people'
import { addMillis, LANGUAGES, type Language, MINUTE, type NotificationId } from '@almoner/domain/values'
import {
  done,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleNotification,
} from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { audienceNow, type Fixed, ledgerOf, leftovers, strayed } from './looks.ts'

/** The result of a push. */
export const WAYS = ['delivered', 'failed', 'skipped', 'dead', 'again', 'held', 'refused us'] as const
type Way = (typeof WAYS)[number]

/** A random event. Numbers select users, devices, notifications and batches, modulo their count. */
export type Step =
  | { readonly kind: 'attach' | 'detach'; readonly device: number; readonly user: number }
  | { readonly kind: 'prefer'; readonly user: number; readonly lang: Language; readonly subscribed: boolean }
  | { readonly kind: 'putAll'; readonly users: ReadonlyArray<number>; readonly lang: Language }
  | { readonly kind: 'add'; readonly lang: Language }
  | { readonly kind: 'start' | 'release' | 'resume' | 'restore' }
  | { readonly kind: 'claim'; readonly most: number }
  | { readonly kind: 'record'; readonly batch: number; readonly ways: ReadonlyArray<Way> }
  | { readonly kind: 'letGo'; readonly batch: number }
  | { readonly kind: 'remove'; readonly notification: number }
  | { readonly kind: 'wait'; readonly seconds: number }

const LIFE = 24 * 60 * MINUTE

/** A claim, and its recipients without a recorded result. */
interface Holding {
  readonly batch: Batch
  readonly open: Map<DeviceId, Recipient>
  until: O.Option<Instant>
}

const resultOf = (deviceId: DeviceId, way: Way, now: Instant): DeliveryResult => {
  const origin = wholeOf('fcm')
  switch (way) {
    case 'again':
      return {
        deviceId,
        kind: 'retry',
        origin,
        cause: 'device',
        reason: '',
        at: O.some(addMillis(now, MINUTE)),
      }
    case 'dead':
      return { deviceId, kind: 'unregistered', origin, attachedAt: SAMPLE_MOMENT }
    case 'held':
      return { deviceId, kind: 'deferred', origin }
    case 'refused us':
      return {
        deviceId,
        kind: 'retry',
        origin,
        cause: 'sender',
        reason: 'a wrong key',
        at: O.some(addMillis(now, MINUTE)),
      }
    case 'delivered':
      return { deviceId, kind: 'responded', origin, outcome: way }
    default:
      return { deviceId, kind: 'notSent', outcome: way }
  }
}

const nth = <A>(all: ReadonlyArray<A>, n: number): A | undefined => all[n % all.length]

/**
 * A store, and beside it what must be true of its sending: who was fixed when each notification was taken up, by a plain join, and who
 * holds whom. Each step is compared with that.
 */
export const makeFixture = (store: Store & { readonly database: Database }) => {
  const { users, devices, notifications, deliveries, providers, deadDevices, database } = store
  const made: Array<NotificationId> = []
  const removed = new Set<NotificationId>()
  const fixed = new Map<NotificationId, Fixed>()
  const ended = new Set<string>()
  const holdings: Array<Holding> = []
  let now = SAMPLE_MOMENT

  const keyOf = (id: NotificationId, deviceId: DeviceId) => `${id} ${deviceId}`
  const sameBatch = ({ batch: { claim } }: Holding, other: Holding) =>
    claim.notificationId === other.batch.claim.notificationId && claim.number === other.batch.claim.number
  const isLost = (holding: Holding) =>
    removed.has(holding.batch.claim.notificationId) ||
    holdings.findLast((other) => sameBatch(other, holding)) !== holding

  const start = async () => {
    const audiences = new Map<Language, Fixed>()
    for (const lang of LANGUAGES) audiences.set(lang, await audienceNow(database, lang))
    for (const id of await done(deliveries.start(now, LIFE))) {
      const found = await done(notifications.find(id))
      const audience = O.isSome(found) ? audiences.get(found.value.notification.lang) : undefined
      fixed.set(id, audience ?? new Map<DeviceId, Email>())
    }
  }

  const checkClaimed = (holding: Holding) => {
    const { notificationId, fence } = holding.batch.claim
    const others = holdings.filter((other) => other.batch.claim.notificationId === notificationId)
    const held = others.filter((other) => !isLost(other) && isHeld(other.until, now))
    for (const { deviceId, email } of holding.open.values()) {
      deepStrictEqual(fixed.get(notificationId)?.get(deviceId), email, 'it was fixed with this user')
      ok(!ended.has(keyOf(notificationId, deviceId)), 'its turn has not ended')
      ok(!held.some(({ open }) => open.has(deviceId)), 'nobody else has it')
    }
    for (const other of others.filter((one) => sameBatch(one, holding))) ok(other.batch.claim.fence < fence)
  }

  const claim = async (most: number) => {
    const claimed = await done(
      deliveries.claim({ now, most, first: 'retries', except: [], isAbandoned: () => true }),
    )
    if (O.isNone(claimed)) return false
    const batch = claimed.value
    ok(batch.recipients.length > 0 && batch.recipients.length <= most)
    const open = new Map(batch.recipients.map((recipient) => [recipient.deviceId, recipient]))
    const holding: Holding = { batch, open, until: O.some(leaseFrom(now)) }
    checkClaimed(holding)
    holdings.push(holding)
    return true
  }

  const record = async (holding: Holding, ways: ReadonlyArray<Way>) => {
    const { claim } = holding.batch
    const results = [...holding.open.keys()].flatMap((deviceId, n) => {
      const way = ways[n]
      return way === undefined ? [] : [resultOf(deviceId, way, now)]
    })
    const last = results.length === holding.open.size
    const recorded = await deliveries.record(claim, results, { now, last, credentials: {} })()
    deepStrictEqual(E.isLeft(recorded), isLost(holding))
    if (E.isLeft(recorded)) return
    holding.until = last ? O.none : O.some(leaseFrom(now))
    for (const result of recorded.right.results) {
      holding.open.delete(result.deviceId)
      if (result.kind === 'ended') ended.add(keyOf(claim.notificationId, result.deviceId))
    }
  }

  const letGo = async (holding: Holding) => {
    await done(deliveries.releaseClaim(holding.batch.claim))
    if (!isLost(holding)) holding.until = O.none
  }

  const remove = async (id: NotificationId) => {
    const gone = await notifications.remove(id)()
    deepStrictEqual(E.isLeft(gone), removed.has(id))
    removed.add(id)
  }

  const add = async (lang: Language) => {
    const notification = sampleNotification(made.length, { lang, date: O.some(now) })
    await done(notifications.add(notification))
    made.push(notification.id)
  }

  const change = async (step: Extract<Step, { kind: 'attach' | 'detach' | 'prefer' | 'putAll' }>) => {
    switch (step.kind) {
      case 'attach':
        return done(
          devices.attach(sampleDevice(step.device, { email: sampleEmail(step.user), attachedAt: now })),
        )
      case 'detach':
        return devices.detach(sampleEmail(step.user), sampleDevice(step.device))()
      case 'prefer':
        return done(users.prefer(sampleEmail(step.user), { lang: step.lang, subscribed: step.subscribed }))
      case 'putAll': {
        const all = step.users.map((n) => ({
          email: sampleEmail(n),
          lang: step.lang,
          subscribed: n % 2 === 0,
        }))
        return done(users.putAll(all))
      }
    }
  }

  const take = async (step: Step): Promise<unknown> => {
    switch (step.kind) {
      case 'add':
        return add(step.lang)
      case 'start':
        return start()
      case 'release':
        return done(deliveries.releaseDeferred({ now, by: PROVIDERS, room: () => 100, fraction: 0.5 }))
      case 'resume':
        return done(providers.resume('fcm', { now, overrideUntil: O.none }))
      case 'restore':
        return done(deadDevices.restore({ provider: O.none, since: O.none }))
      case 'claim':
        return claim(step.most)
      case 'record': {
        const holding = nth(holdings, step.batch)
        return holding && record(holding, step.ways)
      }
      case 'letGo': {
        const holding = nth(holdings, step.batch)
        return holding && letGo(holding)
      }
      case 'remove': {
        const id = nth(made, step.notification)
        return id && remove(id)
      }
      case 'wait':
        now = addMillis(now, step.seconds * 1000)
        return
      default:
        return change(step)
    }
  }

  const checkSent = async (id: NotificationId, recipients: Fixed) => {
    const ledger = await ledgerOf(database, id)
    deepStrictEqual(
      [...ledger.keys()].sort(),
      [...recipients.keys()].sort(),
      'each has one end, nobody else has',
    )
    const found = await done(notifications.find(id))
    const progress = O.isSome(found) ? O.toUndefined(found.value.progress) : undefined
    deepStrictEqual(progress?.recipients, recipients.size)
    const count = (outcome: string) => [...ledger.values()].filter((one) => one === outcome).length
    deepStrictEqual(
      OUTCOMES.map((outcome) => progress?.tally[outcome]),
      OUTCOMES.map(count),
    )
    ok(progress !== undefined && O.isSome(progress.finishedAt))
  }

  /** Sends everything that is left, and compares the tables with the model. */
  const settle = async () => {
    now = addMillis(now, LIFE)
    await start()
    while (await claim(7)) {
      const holding = holdings.at(-1)
      if (holding !== undefined) await record(holding, Array(7).fill('delivered'))
    }
    while ((await done(notifications.purge())) > 0) now = addMillis(now, 1)
    for (const [id, recipients] of fixed) if (!removed.has(id)) await checkSent(id, recipients)
    deepStrictEqual(await strayed(database), 0, 'devices repeat their user’s preference')
    deepStrictEqual(await leftovers(database), 0, 'nothing is left of what was removed')
    deepStrictEqual(await done(deliveries.backlog()), { sending: 0, claimed: 0, nextRetry: O.none })
  }

  return { take, settle }
}
