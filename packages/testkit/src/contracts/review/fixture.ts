import { DEFAULT_POLICY, type Policy } from '@almoner/domain'
import { makeReview, type Reviewing, type ReviewSummary } from '@almoner/domain/delivery'
import { mediaAddressesBelow } from '@almoner/domain/media'
import {
  DELIVERED,
  type Delivery,
  deliveryOf,
  type Push,
  type PushResult,
  type Tally,
} from '@almoner/domain/notifications'
import { PROVIDERS, type Provider } from '@almoner/domain/people'
import type { Deliveries, LibraryItems, Ports, Unavailable } from '@almoner/domain/ports'
import type { NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import {
  evenRandom,
  instantTimer,
  memoryPushGateway,
  type PushScript,
  type SetClock,
  setClock,
} from '../../memory/index.ts'
import { type DeliveriesFixture, type DeliveryStore, makeDeliveryFixture } from '../delivery/fixture.ts'
import { type Check, type ContractRunner, onEach } from '../runner.ts'
import { done, SAMPLE_MOMENT } from '../samples.ts'

/** The ports that a review uses. */
type ReviewStore = DeliveryStore & Pick<Ports, 'libraryItems'>

/** A store for one test, with its own data. */
export interface ReviewStoreUnderTest extends ReviewStore {
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

/** Options of a reviewing process. By default its provider accepts every push, with an in-flight limit of 100. */
interface ReviewerOptions extends Partial<Reviewing> {
  readonly script?: PushScript
  readonly policy?: Partial<Policy>
  /** Replaces methods of the deliveries, to make them fail. */
  readonly deliveries?: Partial<Deliveries>
  readonly random?: Ports['random']
  /** The providers of this process; all by default. */
  readonly providers?: ReadonlyArray<Provider>
}

/** The sample reader whose device a push is for. */
export const readerOf = ({ destination }: Push): number =>
  destination.provider === 'webpush' ? -1 : Number(destination.token.replace('token-', ''))

const nameOf = (notificationId: string, deviceId: number): string => `${notificationId} ${deviceId}`

/** Counts the sends whose outcome is not in the ledger. */
const makeCounter = () => {
  const without = new Set<string>()
  let most = 0
  return {
    sent: ({ notificationId, deviceId }: Push) => {
      without.add(nameOf(notificationId, deviceId))
      most = Math.max(most, without.size)
    },
    recorded: (notificationId: string, results: ReadonlyArray<{ readonly deviceId: number }>) => {
      for (const { deviceId } of results) without.delete(nameOf(notificationId, deviceId))
    },
    most: () => most,
  }
}

/** A process that reviews the store of a test by its clock, with a separate provider and in-flight limit. */
const makeReviewer = (
  store: ReviewStore,
  clock: SetClock,
  {
    script = () => DELIVERED,
    window = 100,
    signal,
    providers = PROVIDERS,
    elsewhere,
    ...options
  }: ReviewerOptions,
) => {
  const counter = makeCounter()
  const pushGateway = memoryPushGateway((push) => {
    counter.sent(push)
    return script(push)
  })
  const asked: Deliveries = { ...store.deliveries, ...options.deliveries }
  const deliveries: Deliveries = {
    ...asked,
    record: (claim, results, at) => async () => {
      const result = await asked.record(claim, results, at)()
      if (E.isRight(result)) counter.recorded(claim.notificationId, results)
      return result
    },
  }
  const ports = {
    ...store,
    deliveries,
    clock,
    pushGateway: { ...pushGateway, providers: new Set(providers) },
    random: options.random ?? evenRandom,
    timer: instantTimer(clock),
    mediaAddresses: mediaAddressesBelow('https://api.example.org'),
  }
  const review = makeReview(ports, { ...DEFAULT_POLICY, ...options.policy })({
    window,
    ...(signal && { signal }),
    ...(elsewhere && { elsewhere }),
  })
  return {
    review: (): Promise<E.Either<Unavailable, ReviewSummary>> => review(),
    /** Runs a review that must succeed. */
    reviewed: (): Promise<ReviewSummary> => done(review),
    pushes: pushGateway.pushes,
    /** The sample readers to whom this process sent a push, in order. */
    sentTo: (): ReadonlyArray<number> => pushGateway.pushes().map(readerOf),
    /** The highest number of sends without an outcome in the ledger at any moment. */
    mostUnrecorded: counter.most,
  }
}

/** A store, a clock stopped at {@link SAMPLE_MOMENT}, and any number of reviewing processes. */
export interface ReviewFixture extends DeliveriesFixture {
  readonly libraryItems: LibraryItems
  readonly clock: SetClock
  readonly reviewer: (options?: ReviewerOptions) => ReturnType<typeof makeReviewer>
  /** Returns the state and counts of a notification from its report (G7); undefined for an unknown one. */
  readonly report: (
    id: NotificationId,
  ) => Promise<(Pick<Delivery, 'state' | 'recipients' | 'pending'> & Tally) | undefined>
}

const makeReviewFixture = (store: ReviewStore): ReviewFixture => {
  const clock = setClock(SAMPLE_MOMENT)
  const setup = makeDeliveryFixture(store)
  return {
    ...setup,
    libraryItems: store.libraryItems,
    clock,
    reviewer: (options = {}) => makeReviewer(store, clock, options),
    report: async (id) => {
      const found = await done(store.notifications.find(id))
      if (found._tag === 'None') return undefined
      const { state, recipients, pending, tally } = deliveryOf(found.value.notification, found.value.progress)
      return { state, recipients, pending, ...tally }
    },
  }
}

/** Registers tests, each with its own store. */
export type ReviewTest = (name: string, body: (check: Check, setup: ReviewFixture) => Promise<void>) => void

export const reviewTests = (runner: ContractRunner, make: () => Promise<ReviewStoreUnderTest>): ReviewTest =>
  onEach(runner, make, makeReviewFixture)

/** Creates a report with zero for all omitted counts. */
export const report = (
  state: string,
  counts: Readonly<
    Partial<Record<'recipients' | 'pending' | 'delivered' | 'failed' | 'dead' | 'skipped', number>>
  >,
) => ({ state, recipients: 0, pending: 0, delivered: 0, failed: 0, dead: 0, skipped: 0, ...counts })

/** Integers from `from` to `to`, without `to`. */
export const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from }, (_, n) => from + n)

/** Numbers in their order. */
export const sorted = (all: ReadonlyArray<number>): ReadonlyArray<number> => [...all].sort((a, b) => a - b)

/** Responds after some iterations of the event loop, more for some devices than for others. */
export const slowly = async ({ deviceId }: Push): Promise<PushResult> => {
  for (let result = 0; result < deviceId % 7; result += 1) await Promise.resolve()
  return DELIVERED
}

type Call = (...args: ReadonlyArray<never>) => () => Promise<unknown>

/**
 * Wraps the deliveries of a process that the test kills: calls before the kill are done, later ones are not, and never resolve.
 */
export const mortal = (deliveries: Deliveries) => {
  const open = new Set<Promise<unknown>>()
  let isDead = false

  const asked =
    (call: Call): Call =>
    (...args) =>
    async () => {
      if (isDead) return new Promise(() => {})
      const answer = call(...args)()
      open.add(answer)
      return answer.finally(() => open.delete(answer))
    }

  const calls = Object.entries(deliveries).map(([name, call]) => [name, asked(call as Call)])
  return {
    deliveries: Object.fromEntries(calls) as Deliveries,
    /** Resolves when all its work has stopped. */
    kill: async (): Promise<void> => {
      isDead = true
      await Promise.allSettled(open)
    },
  }
}
