import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { done, failure } from '@almoner/domain/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { openSqlite, type SqliteDatabase } from '../src/index.ts'

const ENDINGS = ['', '-wal', '-shm']

const open = (file: string): Promise<SqliteDatabase> => done(openSqlite({ file }))
const add = (database: SqliteDatabase, text: string, meanwhile = () => {}) =>
  database.write(async (db) => {
    await sql`insert into notes values (${text})`.execute(db)
    meanwhile()
    return E.right(undefined)
  })
const made = async (file: string, ...texts: ReadonlyArray<string>): Promise<SqliteDatabase> => {
  mkdirSync(dirname(file), { recursive: true })
  const database = await open(file)
  await done(database.write(async (db) => E.right(await sql`create table notes (text text)`.execute(db))))
  for (const text of texts) await done(add(database, text))
  return database
}
const textsIn = (file: string): ReadonlyArray<unknown> => {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare('select text from notes').pluck().all()
  } finally {
    database.close()
  }
}

interface Places {
  readonly file: string
  /** Where files are moved to. */
  readonly away: string
  /** A database that was closed. */
  readonly other: string
}

const moveAll = ({ file, away }: Places) => {
  for (const ending of ENDINGS) renameSync(file + ending, away + ending)
}

/** Ways in which files leave an open database, and where its content is then; undefined where a part of it is gone. */
const WAYS: Readonly<Record<string, readonly [act: (places: Places) => void, content?: keyof Places]>> = {
  'all files are moved': [moveAll, 'away'],
  'all files are moved, and a backup is restored in their place': [
    (places) => {
      moveAll(places)
      cpSync(places.other, places.file)
    },
    'away',
  ],
  'the database is replaced by renaming another one': [({ file, other }) => renameSync(other, file)],
  'the folder is moved': [
    ({ file, away }) => {
      renameSync(dirname(file), `${dirname(file)}-moved`)
      mkdirSync(dirname(away), { recursive: true })
    },
  ],
  'all files are removed': [
    ({ file }) => {
      for (const ending of ENDINGS) rmSync(file + ending)
    },
  ],
  'the index of the log is removed': [({ file }) => rmSync(`${file}-shm`)],
  'the log is replaced': [
    ({ file }) => {
      cpSync(`${file}-wal`, `${file}-copy`)
      renameSync(`${file}-copy`, `${file}-wal`)
    },
  ],
}

for (const [way, [act, content]] of Object.entries(WAYS))
  for (const when of ['between writes', 'before a commit'] as const)
    t.test(`I10: ${way} ${when}: this process writes nothing any more`, async (t) => {
      const folder = t.testdir()
      const [file, away, other] = ['data/almoner.db', 'away/almoner.db', 'other.db'].map((name) =>
        join(folder, name),
      )
      const places = { file, away, other } as Places
      mkdirSync(dirname(places.away))
      await (await made(places.other, 'restored')).close()
      const database = await made(places.file, 'first')
      t.equal(database.filesFault(), undefined)
      if (when === 'between writes') act(places)
      t.equal(
        await failure(add(database, 'second', when === 'between writes' ? undefined : () => act(places))),
        'Unavailable',
      )
      t.match(database.filesFault(), /moved, removed or replaced.*Restart/)
      t.equal(await failure(add(database, 'third')), 'Unavailable')
      const reading = database.readSnapshot((db) => sql`select text from notes`.execute(db))
      t.equal(await failure(reading), 'Unavailable', 'and opens no other file')
      const bytesOf = () =>
        ENDINGS.map((ending) => [places.file, places.away].map((path) => contentOf(path + ending)))
      const before = bytesOf()
      await database.close()
      t.strictSame(bytesOf(), before, 'no checkpoint')
      if (content !== undefined) t.strictSame(textsIn(places[content]), ['first'])
      if (/restored/.test(way)) t.strictSame(textsIn(places.file), ['restored'])
    })

const contentOf = (path: string): string => {
  try {
    return readFileSync(path).toString('latin1')
  } catch {
    return ''
  }
}

t.test(
  'I10: a link that leads elsewhere is noticed, and files that come back do not let writing go on',
  async (t) => {
    const folder = t.testdir()
    const [file, other, link] = ['a.db', 'b.db', 'link.db'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await (await made(other)).close()
    symlinkSync(file, link)
    await (await made(file, 'first')).close()
    const database = await open(link)
    await done(add(database, 'second'))
    rmSync(link)
    symlinkSync(other, link)
    t.equal(await failure(add(database, 'third')), 'Unavailable')
    rmSync(link)
    symlinkSync(file, link)
    t.equal(await failure(add(database, 'fourth')), 'Unavailable')
    await database.close()
    t.strictSame(textsIn(file), ['first', 'second'])
  },
)

t.test('I10: checkpoints, other processes and erasures leave the files in place', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const database = await made(file, 'first')
  const second = await open(file)
  for (let round = 0; round < 50; round += 1) {
    await done(add(round % 2 === 0 ? database : second, 'x'.repeat(100_000)))
    await done(
      database.erase(async (db) => {
        await sql`delete from notes where length(text) > 9`.execute(db)
        return E.right([])
      }),
    )
  }
  await second.close()
  await done(add(database, 'last'))
  t.equal(database.filesFault(), undefined)
  await database.close()
  t.strictSame(textsIn(file), ['first', 'last'])
})
