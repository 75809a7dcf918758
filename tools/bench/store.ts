import { instant } from '@almoner/domain/values'
import { MIGRATIONS, makeMigrator, makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { openSqlite } from '../../packages/adapters-sqlite/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'

/** The engine and the repositories on a SQLite file whose schema is current. */
export const openStore = async (file: string) => {
  const engine = await done(openSqlite({ file }))
  await done(makeMigrator(engine, { now: () => instant(Date.now()) }, MIGRATIONS).ensureCurrent())
  return { engine, ...makeStore(engine) }
}
