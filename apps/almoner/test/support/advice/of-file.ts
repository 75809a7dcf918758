import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTransferStore } from '@almoner/adapters-kysely'
import { exportArchive } from '@almoner/adapters-kysely/archive'
import { folderImageFiles } from '@almoner/adapters-media'
import { openSqlite } from '@almoner/adapters-sqlite'
import { done } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import type { Test } from 'tap'
import { UNRELEASED } from '../../../../../packages/adapters-sqlite/test/fixtures/unreleased.ts'
import { serve } from '../almoner.ts'
import { furnish } from '../archive.ts'
import { DEFAULT_DATABASE, makeCurrent } from '../database.ts'
import { currentFolder, obey, placesIn, type Trial } from './trial.ts'

const inData = (folder: string, name: string) => join(folder, 'data', name)

/** ALMONER_DATABASE leads to something else than the database, and by the advice to the database. */
const mistaken = (make: (path: string) => void): Trial => ({
  bringAbout: async (t) => {
    const folder = await currentFolder(t)
    const path = inData(folder, 'typo.db')
    make(path)
    return {
      variables: { ...placesIn(folder), ALMONER_DATABASE: `sqlite:${path}` },
      follow: async () => ({ variables: placesIn(folder) }),
    }
  },
})

const withTable = (path: string) => {
  const database = new Database(path)
  database.exec('create table customer (id integer)')
  database.close()
}

/** A database whose history of migrations this program cannot continue, as the program left it that could. */
const withHistory = (change: (database: Database.Database) => void): Trial => ({
  bringAbout: async (t: Test) => {
    const folder = t.testdir({ data: { media: {} }, new: { data: { media: {} } } })
    await furnish(folder)
    const file = join(folder, DEFAULT_DATABASE)
    const archive = join(folder, 'all.tar')
    const database = new Database(file)
    change(database)
    database.close()
    return {
      variables: placesIn(folder),
      follow: async ({ fix }) => {
        t.match(
          fix,
          /almoner export all\.tar with the program that applied .* almoner import all\.tar with this/,
        )
        // As that program exports: it does not ask whether this one knows the history.
        const engine = await done(openSqlite({ file }))
        const files = folderImageFiles(join(folder, 'data/media'))
        const store = makeTransferStore(engine)
        await done(exportArchive({ store, files }, { file: archive, isStrict: false, onProgress: () => {} }))
        await engine.close()
        const variables = placesIn(join(folder, 'new'))
        await obey(`import ${archive}`, variables)
        return { variables }
      },
    }
  },
})

/** Advice about a database in a file. */
export const OF_FILE = {
  'database-empty': mistaken((path) => writeFileSync(path, '')),
  'database-missing': mistaken(() => {}),
  'database-strange': mistaken((path) => writeFileSync(path, 'x'.repeat(5000))),
  'database-unusable': mistaken(mkdirSync),
  'database-foreign': mistaken(withTable),
  'database-history': withHistory((database) => {
    database
      .prepare("update schema_migrations set name = '0001-of-another-branch' where name = '0001-initial'")
      .run()
  }),
  'database-files': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const server = await serve(folder, [], placesIn(folder))
      t.teardown(server.stop)
      const { port } = new URL(server.url)
      mkdirSync(inData(folder, 'away'))
      const move = (from: string, to: string) => {
        for (const ending of ['', '-wal', '-shm'])
          renameSync(inData(folder, `${from}almoner.db${ending}`), inData(folder, `${to}almoner.db${ending}`))
      }
      move('', 'away/')
      return {
        variables: { ...placesIn(folder), ALMONER_PORT: port },
        follow: async () => {
          await server.stop()
          move('away/', '')
          const again = await serve(folder, [], { ...placesIn(folder), ALMONER_PORT: port })
          t.teardown(again.stop)
          return {}
        },
      }
    },
  },
  'database-damaged': {
    bringAbout: async (t) => {
      const folder = t.testdir({ data: { media: {} } })
      await makeCurrent(folder)
      const variables = placesIn(folder)
      const [file, backup] = [join(folder, DEFAULT_DATABASE), join(folder, 'backup.tar')]
      await obey(`backup ${backup}`, variables)
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xab, bytes.length - 2 * 4096))
      return {
        variables,
        follow: async () => {
          // docs/operations.md, "Go back to a backup"
          mkdirSync(join(folder, 'away'))
          for (const name of readdirSync(join(folder, 'data')).filter((one) => one.startsWith('almoner.db')))
            renameSync(inData(folder, name), join(folder, 'away', name))
          await obey(`restore ${backup}`, variables)
          return {}
        },
      }
    },
  },
  'erasure-unfinished': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const variables = placesIn(folder)
      const file = join(folder, DEFAULT_DATABASE)
      await obey('user set person@example.org --lang fr', variables)
      // A reader of an old state keeps the log.
      const reader = new Database(file, { readonly: true })
      reader.exec('begin')
      reader.prepare('select * from person').all()
      await t.rejects(obey('user erase person@example.org', variables), /remains may still be in the files/)
      return {
        variables,
        follow: async ({ fix }) => {
          t.match(fix, /end long reads; then repeat almoner user erase EMAIL/)
          reader.close()
          await obey('user erase person@example.org', variables)
          return {}
        },
      }
    },
  },
} as const satisfies Readonly<Record<string, Trial>>

/** Other histories that the same advice is for. */
export const HISTORIES: Readonly<Record<string, Trial>> = {
  'some are of a commit between the unreleased ones': withHistory((database) => {
    database.exec('delete from schema_migrations')
    const insert = database.prepare("insert into schema_migrations values (?, '', 0)")
    for (const name of UNRELEASED.slice(0, 18)) insert.run(name)
  }),
  'one is unknown': withHistory((database) => {
    database.prepare("insert into schema_migrations values ('0002-of-another-branch', '', 0)").run()
  }),
}
