// Archives and maintenance of a service whose tables stand beside those of a host: with a prefix on SQLite, in a schema on PostgreSQL.

import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, MIGRATIONS, makeMigrator, makeTransferStore } from '@almoner/adapters-kysely'
import { exportArchive, importArchive } from '@almoner/adapters-kysely/archive'
import { folderImageFiles, openFolderMediaStore, openFolderPortfolioImages } from '@almoner/adapters-media'
import { systemClock } from '@almoner/adapters-node'
import { maintenanceJobs } from '@almoner/adapters-node/jobs'
import { openPostgres } from '@almoner/adapters-postgres'
import { openSqlite } from '@almoner/adapters-sqlite'
import { backUpSqlite } from '@almoner/adapters-sqlite/archive'
import { freshDatabase } from '@almoner/postgres-server'
import { done, failure } from '@almoner/testkit/contracts'
import Sqlite from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import pg from 'pg'
import t, { type Test } from 'tap'
import { addTablesOfHost } from '../../../../packages/adapters-sqlite/test/host-tables.ts'
import { type AlmonerOptions, openAlmoner } from '../../src/index.ts'
import { furnish } from '../support/archive.ts'
import { inProcess } from '../support/in-process.ts'
import { ownFolder } from '../support/own-folder.ts'
import { command } from '../support/portfolio.ts'

const STRAY = 'an-unguessable-name-of-an-image.png'
const HOURS_AGO = new Date(Date.now() - 2 * 3_600_000)

const folder = ownFolder()
await furnish(folder)
const archive = join(folder, 'all.tar')
await command(folder, 'export', archive)

const mediaIn = async (place: string) => {
  const media = join(place, 'media')
  return {
    imageFiles: folderImageFiles(media),
    mediaStore: await done(openFolderMediaStore({ folder: media, clock: systemClock })),
    portfolioImages: await done(
      openFolderPortfolioImages({ folder: join(media, 'portfolio'), clock: systemClock }),
    ),
  }
}

const quiet = { onProgress: () => {} }

type Opened = Database & { readonly close: () => Promise<void> }

/** Imports the archive of another service into new tables, and exports them again: the same bytes. */
const moves = async (t: Test, place: string, database: Opened) => {
  const media = await mediaIn(place)
  await done(makeMigrator(database, systemClock, MIGRATIONS).migrate())
  const store = makeTransferStore(database)
  const by = { actor: { kind: 'command', id: 'import' }, at: systemClock.now() } as const
  await done(importArchive({ ...media, store }, { file: archive, dryRun: false, by, ...quiet }))
  const file = join(place, 'again.tar')
  await done(exportArchive({ store, files: media.imageFiles }, { file, isStrict: true, ...quiet }))
  await database.close()
  t.ok(readFileSync(file).equals(readFileSync(archive)), 'the same bytes')
}

/** Runs all jobs of maintenance. The sweep deletes the old file that no row references, and no other (D5, D6). */
const maintains = async (t: Test, place: string, options: Omit<AlmonerOptions, 'media' | 'baseUrl'>) => {
  const media = join(place, 'media')
  const stored = () => readdirSync(media).filter((name) => name.endsWith('.png'))
  const almoner = await openAlmoner({
    ...options,
    media: `file:${media}`,
    baseUrl: 'https://example.org/charity',
  })
  const before = stored()
  writeFileSync(join(media, STRAY), 'not decoded here')
  for (const name of stored()) utimesSync(join(media, name), HOURS_AGO, HOURS_AGO)
  for (const { name, work } of maintenanceJobs(almoner)) {
    const result = await work(new AbortController().signal, () => () => {})()
    t.ok(E.isRight(result), name)
  }
  t.strictSame(stored(), before)
  await almoner.close()
}

t.test('a service with a prefix in the SQLite file of a host is moved, swept and purged', async (t) => {
  const place = t.testdir({ media: { portfolio: {} } })
  const [file, prefix] = [join(place, 'host.db'), 'almoner_']
  const host = new Sqlite(file)
  const open = () => done(openSqlite({ file, prefix }))
  const first = await open()
  await done(makeMigrator(first, systemClock, MIGRATIONS).migrate())
  addTablesOfHost(file, prefix)
  await moves(t, place, first)
  await maintains(t, place, { database: host, prefix })

  // The file is the host's: its backups are too, and the command line reads no prefix.
  const source = { database: file, files: folderImageFiles(join(place, 'media')), schema: [] }
  const backup = { file: join(place, 'backup.tar'), isStrict: true, ...quiet }
  t.not(await failure(backUpSqlite(source, backup)), 'none')
  t.notOk(existsSync(backup.file))
  const doctor = await inProcess(['doctor'], { ALMONER_DATABASE: `sqlite:${file}` })
  t.match(doctor, { code: 1, out: /^fault +database: /m })
  host.close()
})

t.test(
  'a service in a schema of the PostgreSQL database of a host is moved, swept and purged, and commands find it by the search path',
  async (t) => {
    const place = t.testdir({ media: { portfolio: {} } })
    const { url, cluster, name, drop } = await freshDatabase(async () => {})
    const pool = new pg.Pool({ connectionString: url })
    const schema = 'beside "it"'
    const first = await done(openPostgres({ pool, schema }))
    await done(makeMigrator(first, systemClock, MIGRATIONS).migrate())
    const { rows } = await pool.query('select tablename from pg_tables where schemaname = $1', [schema])
    for (const { tablename } of rows)
      await pool.query(
        `create table public.${tablename} (host integer); insert into public.${tablename} values (1)`,
      )
    await moves(t, place, first)
    await maintains(t, place, { database: pool, schema })
    await pool.end()

    await cluster.ask(`alter role almoner in database ${name} set search_path to "beside ""it"""`)
    const settings = { ALMONER_DATABASE: url, ALMONER_MEDIA: `file:${join(place, 'media')}` }
    t.match(await inProcess(['doctor'], settings), { code: 0 })
    t.match(await inProcess(['export', join(place, 'command.tar')], settings), { code: 0, err: '' })
    await drop()
  },
)
