import { MIGRATIONS, makeMigrator, makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { openSqlite } from '../../packages/adapters-sqlite/src/index.ts'
import { done } from '../../packages/domain/contracts/index.ts'
import { instant } from '../../packages/domain/src/all.ts'

/** The engine and the repositories on a SQLite file whose schema is current. */
export const openStore = async (file: string) => {
  const engine = await done(openSqlite({ file }))
  await done(makeMigrator(engine, { now: () => instant(Date.now()) }, MIGRATIONS).ensureCurrent())
  return { engine, ...makeStore(engine) }
}
