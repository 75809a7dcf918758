import {
  makeReview,
  NO_OUTCOMES,
  nextReview,
  type Policy,
  type Ports,
  type ReviewSummary,
  type Unavailable,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { pauseDocument } from '../commands/push/document.ts'
import type { Settings } from '../config/definitions.ts'
import { unsentNote } from '../config/push.ts'
import { changesOf } from './changes.ts'
import { type OtherGateways, otherGateways, providersElsewhere, refusalText } from './gateways.ts'
import type { Chore } from './schedule.ts'

/** What a review did, as figures with names. */
export const figuresOf = ({ started, tally, again, held }: ReviewSummary) => ({
  started,
  delivered: tally.delivered,
  failed: tally.failed,
  dead: tally.dead,
  skipped: tally.skipped,
  again,
  held,
})

/** The figures of a review that did nothing. */
export const NOTHING_DONE = figuresOf({
  started: 0,
  tally: NO_OUTCOMES,
  again: 0,
  held: 0,
  paused: [],
  answers: [],
  setAside: [],
})

/**
 * Tells the log which providers a review has paused, as an operator has to look, now or soon; and what providers answered to pushes that
 * they did not take.
 */
const tellTroubles =
  (logger: Logger) =>
  ({ paused, answers, setAside }: ReviewSummary): void => {
    for (const pause of paused) logger.error(pauseDocument(pause), 'push paused')
    for (const { notificationId, devices, cause } of setAside)
      logger.error({ notification: notificationId, devices, err: cause }, 'results set aside')
    if (answers.length > 0) logger.warn({ answers }, 'pushes not taken')
  }

/** What the reviews of a process take. */
export interface Reviews {
  readonly ports: Parameters<typeof makeReview>[0] & Pick<Ports, 'nodes'>
  readonly policy: Policy
  readonly settings: Settings
  readonly logger: Logger
  /** Writes the heartbeat of this node before a review looks for others: of two that start at once, one then sees the other. */
  readonly beat: TE.TaskEither<Unavailable, unknown>
  /** Another number once data may have changed, by whichever process. */
  readonly version: () => number
}

/**
 * The review of the notifications (G4), as often as the settings say, and when something is due (G9). It does nothing but log the reason
 * while another node that runs sends pushes another way (G11).
 */
export const reviewChore = ({ ports, policy, settings, logger, beat, version }: Reviews): Chore => {
  const review = makeReview(ports, policy)
  const elsewhere = providersElsewhere(ports)
  const refuse = (others: ReadonlyArray<OtherGateways>) => {
    logger.error({ others }, refusalText(settings, others))
    return NOTHING_DONE
  }
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
    work: (isStopping) =>
      pipe(
        beat,
        TE.flatMap(() => otherGateways(ports, settings)),
        TE.flatMap((others) =>
          others.length > 0
            ? TE.right(refuse(others))
            : pipe(
                review({ window: settings.pushWindow, isStopping, elsewhere }),
                TE.tapIO((reviewed) => () => tellTroubles(logger)(reviewed)),
                TE.map(figuresOf),
              ),
        ),
      ),
  }
}
