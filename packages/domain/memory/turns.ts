import * as O from 'fp-ts/lib/Option.js'
import { type Instant, isSettled, leaseFrom, type Turn } from '../src/index.ts'
import { type Fixed, openIn, progressOf, type Sending } from './sending.ts'
import type { Tables } from './tables.ts'

/** Detaches a dead device, unless it has gone elsewhere or was attached again since (G5). */
const detach = ({ devices }: Tables, { deviceId, email }: Fixed, attachedAt: Instant): void => {
  const held = [...devices.values()].find(({ id }) => id === deviceId)
  const isAsItWas = held?.device.email === email && held.device.attachedAt === attachedAt
  if (isAsItWas) devices.delete(held.device.token)
}

/** A recipient whose turn has ended, or comes again, is in no portion any more. */
const end = (tables: Tables, recipient: Fixed, turn: Turn): void => {
  switch (turn.kind) {
    case 'again':
      recipient.attempts += 1
      recipient.standing = { kind: 'waiting', at: turn.at }
      return
    case 'dead':
      recipient.standing = { kind: 'ended', outcome: 'dead' }
      detach(tables, recipient, turn.attachedAt)
      return
    case 'ended':
      recipient.standing = { kind: 'ended', outcome: turn.outcome }
  }
}

/** Gives the recipients of a portion their turns, and finishes the sending if nobody is left. What has a turn already keeps it. */
export const take = (
  tables: Tables,
  { sending, portion, now }: { sending: Sending; portion: number; now: Instant },
  turns: ReadonlyArray<Turn>,
): void => {
  const byDevice = new Map(turns.map((turn) => [turn.deviceId, turn]))
  for (const recipient of openIn(sending, portion)) {
    const turn = byDevice.get(recipient.deviceId)
    if (turn !== undefined) end(tables, recipient, turn)
  }
  if (O.isNone(sending.finishedAt) && isSettled(progressOf(sending))) sending.finishedAt = O.some(now)
}

/** The lease after something was recorded: with the last turns nobody needs it any more. */
export const leaseAfter = ({ now, last }: { now: Instant; last: boolean }): O.Option<Instant> =>
  last ? O.none : O.some(leaseFrom(now))
