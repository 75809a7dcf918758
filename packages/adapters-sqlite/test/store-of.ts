import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import { type Clock, instant } from '@almoner/domain'
import { done } from '@almoner/domain/contracts'
import { openSqlite } from '../src/index.ts'

export const clock: Clock = { now: () => instant(1_700_000_000_000) }

/** An engine on a file whose schema is current. */
export const engineOf = async (file: string) => {
  const engine = await done(openSqlite({ file }))
  await done(makeMigrator(engine, clock, MIGRATIONS).migrate())
  return engine
}

/** The repositories on such an engine, the engine, and how to close it. */
export const storeOf = async (file: string) => {
  const engine = await engineOf(file)
  return { ...makeStore(engine), engine, close: engine.close }
}
