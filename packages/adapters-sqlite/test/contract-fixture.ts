import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeStore, withOffsetIndexes } from '@almoner/adapters-kysely'
import type * as contracts from '@almoner/testkit/contracts'
import { done } from '@almoner/testkit/contracts'
import { sql } from 'kysely'
import t from 'tap'
import type { SqliteDatabase } from '../src/index.ts'
import { addTablesOfHost } from './host-tables.ts'
import { filledStores } from './store-of.ts'

/** Places that an offset index counts together: few, so that there are many bounds. */
const SIZE = 4

/** The prefix of the tables, which stand beside tables of a host with the same names; `TEST_PREFIX=` tests a file without either. */
const PREFIX = process.env['TEST_PREFIX'] ?? 'almoner_'

const storeOf = filledStores(async ({ database }) => {
  const { rows } = await done(
    database.read((db) => sql<{ file: string }>`select file from pragma_database_list`.execute(db)),
  )
  if (PREFIX !== '') addTablesOfHost(rows[0]?.file ?? '', PREFIX)
}, PREFIX)

/** Makes a folder, in memory where a machine has such a place: no contract depends on what a power failure leaves. */
const makeFolder = (): string => {
  try {
    return mkdtempSync('/dev/shm/almoner-sqlite-')
  } catch {
    return mkdtempSync(join(tmpdir(), 'almoner-sqlite-'))
  }
}

/** Runs contract suites under tap, each test on a new file, which goes when it is closed. */
export const contractFixture = () => {
  const folder = makeFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const runner: contracts.ContractRunner = (name, body) => {
    t.test(name, async (t) =>
      body({ same: (a, b, m = 'is the same') => t.strictSame(a, b, m), ok: (v, m = 'holds') => t.ok(v, m) }),
    )
  }
  let files = 0
  const newFile = () => {
    files += 1
    const file = join(folder, `${files}.db`)
    return {
      file,
      remove: () => {
        for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      },
    }
  }
  const store = async () => {
    const { file, remove } = newFile()
    const opened = await storeOf(file)
    return { ...opened, close: () => opened.close().then(remove) }
  }
  /** Two stores on two engines of one file, with and without an offset index of few places. */
  const ranks = (isIndexed: boolean) => async (): Promise<contracts.OffsetIndexUnderTest> => {
    const { file, remove } = newFile()
    const [one, other] = [(await storeOf(file)).database, (await storeOf(file)).database]
    const close = async () => {
      await one.close()
      await other.close()
      remove()
    }
    const storeOn = (database: SqliteDatabase) =>
      isIndexed
        ? withOffsetIndexes(makeStore(database), database, { size: SIZE, near: 0 })
        : makeStore(database)
    return { stores: [storeOn(one), storeOn(other)], close }
  }
  return { runner, store, ranks }
}
