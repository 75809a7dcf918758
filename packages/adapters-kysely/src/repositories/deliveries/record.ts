import {
  CLAIM_LOST,
  type Claim,
  type ClaimLost,
  type Instant,
  isSettled,
  keptWhile,
  leaseFrom,
  outcomeOf,
  type Recorded,
  type Tally,
  type Turn,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Db, SqlDialect } from '../../database/database.ts'
import type { PortionRow } from '../../schema/deliveries.table.ts'
import { hear } from './hear.ts'
import { type LiveDelivery, lockedDelivery } from './open.ts'
import { changePortion, closePortion, heldPortion, rangeOf } from './portion-rows.ts'
import { tallyOf } from './progress.ts'
import { recipientsAmong } from './recipients-among.ts'
import { detachDead, endWaiting, keepEnded, keepWaiting, type Served } from './turns.ts'

/** The turns of those who are recipients in the portion, one for each. */
const servedOf = async (
  db: Db,
  delivery: LiveDelivery,
  portion: PortionRow,
  turns: ReadonlyArray<Turn>,
): Promise<ReadonlyArray<Served>> => {
  const byDevice = new Map(turns.map((turn) => [turn.deviceId, turn]))
  const recipients = await recipientsAmong(db, delivery, portion, [...byDevice.keys()])
  return [...recipients.values()].flatMap((recipient) => {
    const turn = byDevice.get(recipient.deviceId)
    return turn === undefined ? [] : [{ recipient, turn }]
  })
}

const talliedWith = (before: Tally, served: ReadonlyArray<Served>): Tally => {
  const tally = { ...before }
  for (const { turn } of served) {
    const outcome = outcomeOf(turn)
    if (outcome !== undefined) tally[outcome] += 1
  }
  return tally
}

/** Counts what has ended; the delivery is finished when that is everybody's turn. */
const count = async (
  db: Db,
  delivery: LiveDelivery,
  served: ReadonlyArray<Served>,
  now: Instant,
): Promise<void> => {
  const tally = talliedWith(tallyOf(delivery), served)
  const isOver = isSettled({ recipients: delivery.recipients, tally })
  await db
    .updateTable('delivery')
    .set(isOver ? { ...tally, finished_at: now, sending: 0 } : tally)
    .where('id', '=', delivery.id)
    .execute()
}

/** Writes down how turns went, in one transaction (G5). */
export const record = async (
  db: Db,
  dialect: SqlDialect,
  {
    claim,
    turns,
    now,
    last,
  }: {
    readonly claim: Claim
    readonly turns: ReadonlyArray<Turn>
    readonly now: Instant
    readonly last: boolean
  },
): Promise<E.Either<ClaimLost, Recorded>> => {
  const delivery = await lockedDelivery(db, dialect, claim.notificationId)
  const portion = delivery && (await heldPortion(db, delivery, claim))
  if (delivery === undefined || portion === undefined) return E.left(CLAIM_LOST)
  const news = await servedOf(db, delivery, portion, turns)
  const told = news.map(({ turn }) => turn)
  const { news: pauses, paused } = await hear(db, dialect, told, now)
  const kept = keptWhile(paused, told)
  const served = news.map(({ recipient, turn }, n) => ({ recipient, turn: kept[n] ?? turn }))
  await keepEnded(db, delivery, served, now)
  if (rangeOf(portion) === undefined) await endWaiting(db, delivery, served)
  await keepWaiting(db, delivery, served)
  await detachDead(db, dialect, served, now)
  if (served.length > 0) await count(db, delivery, served, now)
  const remaining = portion.remaining - served.length
  // Whoever was left out of the last turns is claimed anew.
  if (last && remaining === 0) await closePortion(db, delivery, portion.number)
  else
    await changePortion(db, delivery, portion.number, {
      remaining,
      lease_until: last ? null : leaseFrom(now),
    })
  return E.right({ turns: keptWhile(paused, turns), paused: pauses })
}
