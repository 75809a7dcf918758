import { randomUUID } from 'node:crypto'
import type { Connection } from './connect.ts'
import { DatabaseRefused, isPoolingRefused } from './fault.ts'
import { ANSWER } from './limits.ts'
import { within } from './session.ts'
import { DEAF, POOLED, WHOSE } from './session-guard.ts'

const HOLD = `begin; select ${WHOSE}`

/** Throws if the second session shares one with the first. While it holds a transaction, the first must not get another one. */
const checkNames = async (first: Connection, second: Connection): Promise<void> => {
  // Twice: poolers that deal sessions in turn may give the same one once.
  for (const _ of [1, 2]) await first.checkName()
  const { rows } = await second.ask(HOLD)
  second.verify(rows[0])
  await first.checkName()
  await second.ask('rollback')
}

/** Throws {@link DatabaseRefused} if what one session notifies of does not reach another one that listens. */
const checkHearing = async (from: Connection, to: Connection): Promise<void> => {
  const channel = `almoner_${randomUUID().replaceAll('-', '')}`
  const heard = Promise.withResolvers<void>()
  to.listen({ news: () => heard.resolve(), broken: () => {} })
  await to.ask(`listen ${channel}`)
  await from.ask(`notify ${channel}`)
  await within(ANSWER, heard.promise).catch(() => {
    throw new DatabaseRefused(DEAF)
  })
}

/**
 * Throws {@link DatabaseRefused} if the connections do not have sessions of their own, in which settings, prepared statements and LISTEN last.
 * Says nothing where the server has no room for a second connection: each transaction checks its session again.
 */
export const checkSessions = async (connect: () => Promise<Connection>): Promise<void> => {
  const first = await connect()
  const second = await connect().catch(() => undefined)
  try {
    if (second === undefined) return
    await checkNames(first, second)
    await checkHearing(first, second)
  } catch (cause) {
    throw isPoolingRefused(cause) ? new DatabaseRefused(POOLED) : cause
  } finally {
    first.end()
    second?.end()
  }
}
