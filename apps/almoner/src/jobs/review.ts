import type { Policy, Ports, Unavailable } from '@almoner/domain'
import {
  makeReview,
  nextReview,
  type Pause,
  providerOf,
  type ReviewSummary,
  serverOf,
} from '@almoner/domain/delivery'
import { NO_OUTCOMES } from '@almoner/domain/notifications'
import { toRfc3339 } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { changesOf, type Job } from '../composition/jobs.ts'
import type { Settings } from '../config/definitions.ts'
import { unsentNote } from '../config/push.ts'
import { otherGateways, providersElsewhere, refusalText } from './nodes.ts'

/** Returns a pause as JSON. `server` is empty for a provider with one server; `until` where an operator has to end the pause. */
export const pauseDocument = ({ origin, reason, since, until }: Pause) => ({
  provider: providerOf(origin),
  server: serverOf(origin),
  reason,
  since: toRfc3339(since),
  until: O.match(() => '', toRfc3339)(until),
})

/** Returns the result of a review as numbers with names. */
export const countsOf = ({
  started,
  tally,
  retries,
  deferred,
}: Pick<ReviewSummary, 'started' | 'tally' | 'retries' | 'deferred'>) => ({
  started,
  delivered: tally.delivered,
  failed: tally.failed,
  dead: tally.dead,
  skipped: tally.skipped,
  retries,
  deferred,
})

/** The result of a review that did nothing. */
export const NOTHING_DONE = countsOf({ started: 0, tally: NO_OUTCOMES, retries: 0, deferred: 0 })

/** Logs origins that are paused or probed, results that could not be recorded, and the answers to pushes that were not delivered. */
const logTroubles = (logger: Logger, { paused, answers, setAside, shortened }: ReviewSummary): void => {
  for (const pause of paused)
    logger.error(pauseDocument(pause), O.isSome(pause.until) ? 'push probed' : 'push paused')
  for (const { notificationId, devices, cause } of setAside)
    logger.error({ notification: notificationId, devices, err: cause }, 'results set aside')
  for (const one of shortened) logger.warn(one, 'message shortened')
  if (answers.length > 0) logger.warn({ answers }, 'pushes not taken')
}

/** What the reviews of a process need. */
export interface ReviewNeeds {
  readonly ports: Parameters<typeof makeReview>[0] & Pick<Ports, 'nodes'>
  readonly policy: Policy
  readonly settings: Settings
  readonly logger: Logger
  /** Writes the heartbeat of this node before a review looks for others: of two that start at once, one then sees the other. */
  readonly beat: TE.TaskEither<Unavailable, unknown>
  /** Data version: changes whenever any process may have changed data. */
  readonly version: () => number
}

/**
 * Makes the job that reviews the notifications (G4), as often as the settings say and at due times (G9). While a running node sends pushes
 * another way, it only logs the reason (G11).
 */
export const reviewJob = ({ ports, policy, settings, logger, beat, version }: ReviewNeeds): Job => {
  const review = makeReview(ports, policy)
  const elsewhere = providersElsewhere(ports)
  return {
    name: 'review',
    rule: settings.reviewEvery,
    atStart: true,
    note: unsentNote(settings.push),
    dueTimes: {
      next: TE.map(nextReview)(() => ports.deliveries.upcoming()()),
      onChange: changesOf(version),
      clock: ports.clock,
    },
    work: (signal, onWake) =>
      pipe(
        beat,
        TE.flatMap(() => otherGateways(ports, settings)),
        TE.flatMap((others) => {
          if (others.length === 0) return review({ window: settings.pushWindow, signal, onWake, elsewhere })
          logger.error({ others }, refusalText(settings, others))
          return TE.right(undefined)
        }),
        TE.map((reviewed) => {
          if (reviewed === undefined) return NOTHING_DONE
          logTroubles(logger, reviewed)
          return countsOf(reviewed)
        }),
      ),
  }
}
