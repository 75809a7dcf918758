import { lastDays } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Work } from '../../cli/command.ts'
import { notAvailable } from '../../cli/failure.ts'
import { progressOn, type Terminal } from '../../cli/terminal.ts'
import { unsentNote } from '../../config/push.ts'
import { statsDocument } from './document.ts'
import { statsText } from './text.ts'

/** Days that are told of, today included. */
const DAYS = 30

/** `stats`: content by state and language, devices by kind, and how the deliveries of the last 30 days ended, by day (B8). */
export const showStats =
  (terminal: Terminal): Work =>
  (settings) => {
    const progress = progressOn(terminal)
    const counted = onDatabase(({ statistics, clock }) => {
      progress('counting')
      const days = lastDays(clock.now(), settings.timeZone, DAYS)
      return pipe(
        statistics.survey(days.map(({ begins }) => begins)),
        TE.bimap(notAvailable('the database'), (survey) => {
          const json = statsDocument(survey, days, settings.timeZone)
          const note = unsentNote(settings.push)
          const notSent = note === undefined ? '' : `\nALMONER_PUSH=${settings.push.kind}: ${note}.`
          return { text: `${statsText(json)}${notSent}`, json }
        }),
      )
    })(settings)
    return async () => {
      const done = await counted()
      progress('')
      return done
    }
  }
