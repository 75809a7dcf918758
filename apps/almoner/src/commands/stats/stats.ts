import { lastDays } from '@almoner/domain/ports'
import type { Command } from '../../cli/command.ts'
import { unsentNote } from '../../config/push.ts'
import { fromDatabase } from '../../failure.ts'
import { statsDocument } from './document.ts'
import { statsText } from './text.ts'

/** Days that are reported, today included. */
const DAYS = 30

/** `stats`: content by state and language, devices by kind, and the outcomes of the deliveries of the last 30 days, by day (B8). */
export const showStats: Command = {
  usage: 'stats',
  summary: 'count content, devices and the deliveries of 30 days',
  async run({ service, settings: { timeZone, push }, progress }) {
    const { statistics, clock } = await service.ports()
    progress('counting')
    const days = lastDays(clock.now(), timeZone, DAYS)
    const survey = await fromDatabase(statistics.survey(days.map(({ begins }) => begins)))
    const json = statsDocument(survey, days, timeZone)
    const note = unsentNote(push)
    const notSent = note === undefined ? '' : `\nALMONER_PUSH=${push.kind}: ${note}.`
    return { text: `${statsText(json)}${notSent}`, json }
  },
}
