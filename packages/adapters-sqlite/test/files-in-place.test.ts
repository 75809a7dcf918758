import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { done, failure } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { openSqlite, type SqliteDatabase } from '../src/index.ts'

const ENDINGS = ['', '-wal', '-shm']

const open = (file: string, onFilesGone = (_: string) => {}): Promise<SqliteDatabase> =>
  done(openSqlite({ file, onFilesGone }))
const add = (database: SqliteDatabase, text: string, meanwhile = () => {}) =>
  database.write(async (db) => {
    await sql`insert into notes values (${text})`.execute(db)
    meanwhile()
    return E.right(undefined)
  })
const made = async (
  file: string,
  text: string,
  onFilesGone?: (fault: string) => void,
): Promise<SqliteDatabase> => {
  mkdirSync(dirname(file), { recursive: true })
  const database = await open(file, onFilesGone)
  await done(database.write(async (db) => E.right(await sql`create table notes (text text)`.execute(db))))
  await done(add(database, text))
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
  /** A database whose content is in its log, as that of a running server. */
  readonly live: string
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
  'all files are moved, and those of a running server come in their place': [
    (places) => {
      moveAll(places)
      for (const ending of ['', '-wal']) renameSync(places.live + ending, places.file + ending)
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

/** Copies a database while it is open, with its log. */
const copyLive = async (file: string, to: string): Promise<void> => {
  const database = await made(file, 'live')
  for (const ending of ['', '-wal']) cpSync(file + ending, to + ending)
  await database.close()
}

/** What a process does with its database when its files leave. */
const NEXT: Readonly<
  Record<string, (database: SqliteDatabase, act: () => void, found: Promise<unknown>) => unknown>
> = {
  'a write begins': (database, act) => {
    act()
    return failure(add(database, 'second'))
  },
  'a write commits': (database, act) => failure(add(database, 'second', act)),
  'nothing is written': async (_, act, found) => {
    act()
    // The watch alone does not keep a process alive.
    const alive = setInterval(() => {}, 1000)
    await found
    clearInterval(alive)
  },
  'the process ends': (_, act) => act(),
}

for (const [way, [act, content]] of Object.entries(WAYS))
  for (const [when, next] of Object.entries(NEXT))
    t.test(`I10: ${way}, then ${when}: this process writes nothing any more, and says so once`, async (t) => {
      const folder = t.testdir()
      const [file, away, other, live] = [
        ...['data/almoner.db', 'away/almoner.db', 'other.db', 'live.db'].map((name) => join(folder, name)),
      ]
      const places = { file, away, other, live } as Places
      mkdirSync(dirname(places.away))
      await (await made(places.other, 'restored')).close()
      await copyLive(join(folder, 'running.db'), places.live)
      const [faults, found] = [[] as Array<string>, Promise.withResolvers<void>()]
      const database = await made(places.file, 'first', (fault) => {
        faults.push(fault)
        found.resolve()
      })
      t.equal(database.filesFault(), undefined)
      const written = await next(database, () => act(places), found.promise)
      if (/write/.test(when) && when !== 'nothing is written') t.equal(written, 'Unavailable')
      const bytesOf = () =>
        ENDINGS.map((ending) => [places.file, places.away].map((path) => contentOf(path + ending)))
      const before = bytesOf()
      if (when !== 'the process ends') {
        t.equal(await failure(add(database, 'third')), 'Unavailable')
        const reading = database.readSnapshot((db) => sql`select text from notes`.execute(db))
        t.equal(await failure(reading), 'Unavailable', 'and opens no other file')
      }
      await database.close()
      t.match(faults, [/moved, removed or replaced.*Restart/])
      t.equal(faults.length, 1)
      t.ok(faults[0]?.includes(places.file))
      t.strictSame(bytesOf(), before, 'no checkpoint')
      if (content !== undefined) t.strictSame(textsIn(places[content]), ['first'])
      if (/restored/.test(way)) t.strictSame(textsIn(places.file), ['restored'])
      if (/running/.test(way)) t.strictSame(textsIn(places.file), ['live'])
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
    await (await made(other, 'other')).close()
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
