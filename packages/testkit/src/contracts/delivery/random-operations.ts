import type { Label } from '@almoner/domain/content'
import { type Batch, type Claim, type DeliveryResult, isHeld, leaseFrom } from '@almoner/domain/delivery'
import type { Outcome } from '@almoner/domain/notifications'
import { type Audience, type DeviceId, isInAudience, newUser, type User } from '@almoner/domain/people'
import {
  addMillis,
  type Email,
  type Instant,
  instant,
  isFarAhead,
  type NotificationId,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sampleLabel } from '../people/topics.ts'
import { type Check, seeded } from '../runner.ts'
import { done, SAMPLE_MOMENT, sampleDevice, sampleEmail, sampleToken } from '../samples.ts'
import { again, type DeliveriesFixture, ended, type Given } from './fixture.ts'

const LABELS = ['water', 'health', 'arts'].map(sampleLabel)

/** The state of a recipient: in progress, ended, or waiting for a retry. */
type Standing = Outcome | 'open' | { readonly at: Instant; readonly planned: Instant }

const standingOf = (result: DeliveryResult, planned: Instant): Standing => {
  if (result.kind === 'retry' && O.isSome(result.at)) return { at: result.at.value, planned }
  return 'outcome' in result ? result.outcome : 'open'
}

/** The expected state of one notification, computed without a store: its recipients and the state of each. */
interface Expected {
  /** The users of the fixed recipients, one entry per device. */
  readonly fixed: ReadonlyArray<Email>
  readonly results: Map<DeviceId, Standing>
  readonly owners: Map<DeviceId, Email>
}

interface Holding {
  readonly batch: Batch
  until: O.Option<Instant>
}

const keyOf = ({ notificationId, number }: Claim): string => `${notificationId} ${number}`

/** A store with few users and devices, and a model of its expected state. */
const makeModel = (check: Check, setup: DeliveriesFixture, seed: number) => {
  const random = seeded(seed)
  const most = 1 + random(3)
  const users = new Map<Email, User>()
  let labels: ReadonlyArray<Label> = []
  const devices = new Map<string, Email>()
  const waiting = new Map<NotificationId, Audience & { date: Instant }>()
  const expected = new Map<NotificationId, Expected>()
  const holdings = new Map<string, Holding>()
  const old: Array<Claim> = []
  let now = SAMPLE_MOMENT
  let made = 0

  const someone = () => sampleEmail(random(4))
  const some = <A>(all: Iterable<A>): A | undefined => {
    const list = [...all]
    return list[random(list.length)]
  }
  const someResult = (deviceId: DeviceId): DeliveryResult => {
    const way = some(['delivered', 'failed', 'skipped', 'again'] as const) ?? 'again'
    return way === 'again' ? again(addMillis(now, 1000 + random(60_000)))(deviceId) : ended(way)(deviceId)
  }
  const forget = (id: NotificationId) => {
    waiting.delete(id)
    expected.delete(id)
    for (const [key, { batch }] of holdings)
      if (batch.claim.notificationId === id) {
        old.push(batch.claim)
        holdings.delete(key)
      }
  }

  const steps: Readonly<Record<string, () => Promise<void>>> = {
    attach: async () => {
      const [n, email] = [random(8), someone()]
      await done(setup.devices.attach(sampleDevice(n, { email, attachedAt: now })))
      if (!users.has(email)) users.set(email, newUser(email))
      devices.set(sampleToken(n), email)
    },
    detach: async () => {
      const [n, email] = [random(8), someone()]
      const result = await setup.devices.detach(email, sampleDevice(n))()
      check.same(E.isRight(result), devices.get(sampleToken(n)) === email)
      if (E.isRight(result)) devices.delete(sampleToken(n))
    },
    prefer: async () => {
      const [email, lang, subscribed] = [someone(), random(3) === 0 ? 'fr' : 'en', random(4) > 0] as const
      const topics = labels.filter(() => random(3) === 0).map(({ labelId }) => labelId)
      users.set(email, await done(setup.users.prefer(email, { lang, subscribed, topics })))
    },
    import: async () => {
      const all = [...users.values()].filter(() => random(2) === 0)
      const changed = all.map((user) => ({
        ...user,
        topics: labels.filter(() => random(2) === 0).map(({ labelId }) => labelId),
      }))
      await done(setup.users.putAll(changed))
      for (const user of changed) users.set(user.email, user)
    },
    load: async () => {
      const next = LABELS.filter(() => random(3) > 0)
      const gone = labels.filter((label) => !next.includes(label)).map(({ labelId }) => labelId)
      const held = [...waiting.values()].flatMap(({ labelId }) => (O.isSome(labelId) ? [labelId.value] : []))
      const loaded = await setup.labels.replaceAll(next)()
      const used = gone.filter((labelId) => held.includes(labelId))
      check.same(E.isLeft(loaded), used.length > 0, 'G12: a notification that waits keeps its label')
      if (E.isLeft(loaded)) return
      const followers = [...users.values()].filter(({ topics }) => topics.some((id) => gone.includes(id)))
      const after = followers.map((user) => ({
        ...user,
        topics: user.topics.filter((id) => !gone.includes(id)),
      }))
      for (const user of after) users.set(user.email, user)
      const everything = after.filter(({ topics }) => topics.length === 0).length
      check.same(loaded.right, { people: after.length, everything })
      labels = next
    },
    add: async () => {
      made += 1
      const [lang, date] = [random(4) === 0 ? 'fr' : 'en', addMillis(now, random(3) * 20_000)] as const
      const label = random(2) === 0 ? undefined : some(labels)
      const labelId = O.fromNullable(label?.labelId)
      const id = await setup.notification(made, { lang, labelId, date: O.some(date) })
      waiting.set(id, { lang, labelId, date })
    },
    remove: async () => {
      const id = random(4) === 0 ? some([...waiting.keys(), ...expected.keys()]) : undefined
      if (id === undefined) return
      await done(setup.notifications.remove(id))
      forget(id)
    },
    start: async () => {
      const due = [...waiting].filter(([, { date }]) => date <= now)
      check.same([...(await setup.start(now))].sort(), due.map(([id]) => id).sort())
      for (const [id, audience] of due) {
        const fixed = [...devices.values()].filter((email) => {
          const user = users.get(email)
          return user !== undefined && isInAudience(user, audience)
        })
        waiting.delete(id)
        expected.set(id, { fixed: fixed.sort(), results: new Map(), owners: new Map() })
      }
    },
    claim: async () => {
      const batch = await setup.claim({ now, most })
      if (O.isNone(batch)) return
      const { claim, recipients } = batch.value
      const before = holdings.get(keyOf(claim))
      if (before !== undefined) {
        check.ok(!isHeld(before.until, now), 'no lease blocks the claim')
        check.ok(claim.fence > before.batch.claim.fence)
        old.push(before.batch.claim)
      }
      const { results, owners } = expected.get(claim.notificationId) ?? {}
      for (const { deviceId, email } of recipients) {
        const result = results?.get(deviceId)
        const isDue = typeof result === 'object' && (result.at <= now || isFarAhead(result.planned, now))
        const isNext = result === undefined || isDue
        const isTakenOver =
          result === 'open' && before?.batch.recipients.some((one) => one.deviceId === deviceId)
        check.ok(isNext || isTakenOver === true, 'the recipient is due')
        results?.set(deviceId, 'open')
        owners?.set(deviceId, email)
      }
      holdings.set(keyOf(claim), { batch: batch.value, until: O.some(leaseFrom(now)) })
    },
    record: async () => {
      const holding = some(holdings.values())
      if (holding === undefined) return
      const { claim, recipients } = holding.batch
      const results = expected.get(claim.notificationId)?.results
      const open = recipients.filter(({ deviceId }) => results?.get(deviceId) === 'open')
      const count = random(open.length + 1)
      const taken = open.slice(0, count).map(({ deviceId }) => someResult(deviceId))
      const last = count === open.length
      await done(setup.record(claim, taken, { now, last }))
      for (const result of taken) results?.set(result.deviceId, standingOf(result, now))
      holding.until = last ? O.none : O.some(leaseFrom(now))
    },
    letGo: async () => {
      const holding = some(holdings.values())
      if (holding === undefined || random(3) > 0) return
      await done(setup.deliveries.releaseClaim(holding.batch.claim))
      holding.until = O.none
    },
    recordLate: async () => {
      const claim = some(old)
      if (claim === undefined) return
      check.same(await setup.record(claim, [], { now })(), E.left({ _tag: 'ClaimLost' }))
    },
    wait: async () => {
      now = instant(now + (some([1000, 5000, 31_000, 86_400_000, -86_400_000]) ?? 0))
    },
    purge: async () => {
      await done(setup.notifications.purge())
    },
  }

  /** Sends all remaining batches, and compares the store with the model. */
  const settle = async () => {
    now = addMillis(now, 40 * 86_400_000)
    await steps['start']?.()
    for (let left = 500; left > 0; left -= 1) {
      const batch = await setup.claim({ now, most })
      if (O.isNone(batch)) break
      await setup.recordAll(batch.value, ended('delivered'), now)
      const { results, owners } = expected.get(batch.value.claim.notificationId) ?? {}
      for (const { deviceId, email } of batch.value.recipients) {
        results?.set(deviceId, 'delivered')
        owners?.set(deviceId, email)
      }
    }
    for (const [id, { fixed, results, owners }] of expected) {
      const { recipients, tally, finishedAt } = await setup.progress(id)
      const count = (outcome: Outcome) => [...results.values()].filter((result) => result === outcome).length
      check.same([...owners.values()].sort(), fixed, 'each recipient has a result, and each device only one')
      check.same(recipients, fixed.length)
      check.same(tally, {
        delivered: count('delivered'),
        failed: count('failed'),
        dead: count('dead'),
        skipped: count('skipped'),
      })
      check.ok(O.isSome(finishedAt))
    }
    check.same(await done(setup.deliveries.backlog()), { sending: 0, claimed: 0, nextRetry: O.none })
  }

  const names = Object.keys(steps)
  return {
    step: () =>
      steps[
        some([...names, 'attach', 'add', 'start', 'claim', 'claim', 'claim', 'record', 'record']) ?? ''
      ]?.(),
    settle,
  }
}

/** After any operations in any order, each fixed recipient has one outcome, and no other device has any. */
export const randomOperations = (given: Given): void => {
  for (let seed = 1; seed <= 8; seed += 1)
    given(
      `G4, G5: each fixed recipient gets exactly one outcome, after any operations (seed ${seed})`,
      async (check, setup) => {
        const model = makeModel(check, setup, seed)
        for (let step = 0; step < 130; step += 1) await model.step()
        await model.settle()
      },
    )
}
