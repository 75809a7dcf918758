import { readStatistics } from '@almoner/domain/operations'
import type { Command } from '../../cli/command.ts'
import { unsentNote } from '../../config/push.ts'
import { fromDatabase } from '../../failure.ts'
import { statsText } from './text.ts'

/** `stats`: content by state and language, devices by kind, and the outcomes of the deliveries of the last 30 days, by day (B8). */
export const showStats: Command = {
  usage: 'stats',
  summary: 'count content, devices and the deliveries of 30 days',
  async run({ service, settings: { timeZone, push }, progress }) {
    const ports = await service.ports()
    progress('counting')
    const json = await fromDatabase(readStatistics(ports, { timeZone })())
    const note = unsentNote(push)
    const notSent = note === undefined ? '' : `\nALMONER_PUSH=${push.kind}: ${note}.`
    return { text: `${statsText(json)}${notSent}`, json }
  },
}
