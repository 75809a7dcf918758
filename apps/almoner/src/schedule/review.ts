import { makeReview, type Policy, type Reviewed } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { pauseDocument } from '../commands/push/document.ts'
import type { Chore } from '../schedule.ts'
import type { Settings } from '../settings/definitions.ts'
import { unsentNote } from '../settings/push.ts'

/** What a review did, as figures with names. */
export const figuresOf = ({ takenUp, tally, again, held }: Reviewed) => ({
  takenUp,
  delivered: tally.delivered,
  failed: tally.failed,
  dead: tally.dead,
  skipped: tally.skipped,
  again,
  held,
})

/**
 * Tells the log which providers a review has paused, as an operator has to look, now or soon; and what providers answered to pushes that
 * they did not take.
 */
const tellTroubles =
  (logger: Logger) =>
  ({ paused, answers, setAside }: Reviewed): void => {
    for (const pause of paused) logger.error(pauseDocument(pause), 'push paused')
    for (const { notificationId, devices, cause } of setAside)
      logger.error({ notification: notificationId, devices, err: cause }, 'results set aside')
    if (answers.length > 0) logger.warn({ answers }, 'pushes not taken')
  }

/** The review of the notifications (G4), as often as the settings say. */
export const reviewChore = (
  ports: Parameters<typeof makeReview>[0],
  policy: Policy,
  { reviewEvery, pushWindow, push }: Pick<Settings, 'reviewEvery' | 'pushWindow' | 'push'>,
  logger: Logger,
): Chore => {
  const review = makeReview(ports, policy)
  return {
    name: 'review',
    rule: reviewEvery,
    atStart: true,
    note: unsentNote(push),
    work: (isStopping) =>
      pipe(
        review({ window: pushWindow, isStopping }),
        TE.tapIO((reviewed) => () => tellTroubles(logger)(reviewed)),
        TE.map(figuresOf),
      ),
  }
}
