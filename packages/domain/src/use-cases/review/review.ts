import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PortionId } from '../../notifications/portion.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { type Instant, SECOND } from '../../values/instant.ts'
import { messageNow } from '../notifications/message-now.ts'
import type { Policy } from '../policy.ts'
import { countAnswers } from './answers.ts'
import { releaseAll } from './release-all.ts'
import { counted, NOTHING, type Reviewed } from './reviewed.ts'
import { makeSendWindow } from './send-window.ts'
import { type Serving, type ServingNeeds, servePortion } from './serve-portion.ts'
import { makeStarter } from './start-due.ts'
import { toTheEnd } from './to-the-end.ts'

/** How a process reviews. */
export interface Reviewing {
  /** The most sends without an outcome in the ledger: what a crash at the wrong moment can double (G5). */
  readonly window: number
  /** Whether to begin nothing any more, and finish what has begun. */
  readonly isStopping: () => boolean
}

type Needs = ServingNeeds | 'libraryItems' | 'mediaAddresses'
type Claimed = Pick<Serving, 'portion' | 'claimedAt'>
type ReviewPolicy = Pick<Policy, 'look' | 'notificationLife'>

/** Recipients of a portion: enough that claiming costs little, few enough that a crash leaves little to wait for. */
const PORTION = 500

/** Portions served at a time, so that one begins while the last answers of another are awaited. */
const LANES = 2

const isThe =
  (one: PortionId) =>
  (other: PortionId): boolean =>
    one.notificationId === other.notificationId && one.number === other.number

/** One review under way. */
const makeRun = (
  given: Pick<Ports, Needs>,
  policy: ReviewPolicy,
  { window: size, isStopping }: Reviewing,
) => {
  const { gateway, answers } = countAnswers(given.pushGateway)
  const ports = { ...given, pushGateway: gateway }
  const window = makeSendWindow(size)
  const starter = makeStarter(ports, policy.notificationLife * SECOND)
  let done = NOTHING
  let mine: ReadonlyArray<PortionId> = []
  let claiming: Promise<unknown> = Promise.resolve()
  const isOver = () => isStopping() || window.isClosed()

  /** The next portion. What has become due meanwhile is started first, so that a long review keeps nobody waiting. */
  const next = (): TE.TaskEither<Unavailable, O.Option<Claimed>> => async () => {
    await starter.start()
    return claim(ports.clock.now())()
  }

  const claim = (now: Instant): TE.TaskEither<Unavailable, O.Option<Claimed>> =>
    pipe(
      ports.deliveries.claim({ now, most: PORTION, except: mine }),
      TE.map(O.map((portion) => ({ portion, claimedAt: now }))),
      TE.tapIO((claimed) => () => {
        if (O.isSome(claimed)) mine = [...mine, claimed.value.portion.claim]
      }),
    )

  /** Lanes claim one after the other: each has to know what the other holds, whatever the clock says of its lease. */
  const inTurn = (): ReturnType<ReturnType<typeof next>> => {
    const claimed = claiming.then(() => next()())
    claiming = claimed.catch(() => undefined)
    return claimed
  }

  const serve = async ({ portion, claimedAt }: Claimed): Promise<E.Either<Unavailable, void>> => {
    const message = await messageNow(ports, portion.notification, policy)()
    if (E.isLeft(message)) await ports.deliveries.letGo(portion.claim)()
    const served = E.isLeft(message)
      ? message
      : await servePortion(ports, { portion, claimedAt, message: message.right, window, isStopping: isOver })
    if (E.isLeft(served) || !served.right.isStuck) mine = mine.filter((one) => !isThe(one)(portion.claim))
    if (E.isLeft(served)) return served
    done = counted(done, served.right)
    return E.right(undefined)
  }

  const lane = async (): Promise<E.Either<Unavailable, void>> => {
    while (!isOver()) {
      const claimed = await inTurn()
      if (E.isLeft(claimed)) return claimed
      if (O.isNone(claimed.right)) break
      const served = await serve(claimed.right.value)
      if (E.isLeft(served)) return served
    }
    return E.right(undefined)
  }

  /** A bug in one lane ends the other too, once what it has begun is written down. */
  const safely = async (): Promise<E.Either<Unavailable, void>> => {
    try {
      return await lane()
    } catch (bug) {
      window.close()
      throw bug
    }
  }

  return async (): Promise<E.Either<Unavailable, Reviewed>> => {
    const released = await releaseAll(ports, isOver)()
    if (E.isLeft(released)) return released
    const lanes = await toTheEnd(Array.from({ length: LANES }, safely))
    const unstarted = starter.failure()
    return pipe(
      unstarted === undefined ? E.sequenceArray(lanes) : E.left(unstarted),
      E.map(() => ({ ...done, takenUp: starter.started(), answers: answers() })),
    )
  }
}

/**
 * One review (G4): takes up what is due by the store's own account, and serves portions until there are none to claim. Several
 * processes may review at once. Unavailable when the store fails; what is in the ledger stays, and the next review goes on from there.
 */
export const makeReview =
  (ports: Pick<Ports, Needs>, policy: ReviewPolicy) =>
  (reviewing: Reviewing): TE.TaskEither<Unavailable, Reviewed> =>
  () =>
    makeRun(ports, policy, reviewing)()
