import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Database, MIGRATIONS, makeMigrator } from '@almoner/adapters-kysely'
import { systemClock } from '@almoner/adapters-node'
import { openPostgres, parsePostgresUrl } from '@almoner/adapters-postgres'
import { openSqlite } from '@almoner/adapters-sqlite'
import { sharedCluster } from '@almoner/postgres-server'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { makeUnreleased } from '../../../../packages/adapters-sqlite/test/fixtures/unreleased.ts'
import { logLines, serve } from '../support/almoner.ts'
import { stallMigration } from '../support/database.ts'

type OpenEngine = Database & { readonly close: () => Promise<void> }

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

/** Asks again and again until something answers. */
const answerOf = async (url: string): Promise<Response> => {
  for (;;)
    try {
      return await fetch(url)
    } catch {
      // Nothing listens yet.
    }
}

/** The engines: the setting of a new database, and how another process opens it. */
const ENGINES: Readonly<Record<string, (folder: string) => Promise<readonly [string, Promise<OpenEngine>]>>> =
  {
    SQLite: async (folder) => {
      const file = join(folder, 'almoner.db')
      return [`sqlite:${file}`, done(openSqlite({ file }))]
    },
    PostgreSQL: async () => {
      const cluster = await sharedCluster()
      const name = `locked_${randomUUID().replaceAll('-', '')}`
      await cluster.createDatabase(name)
      const url = cluster.url(name)
      const place = parsePostgresUrl(url)
      if (E.isLeft(place)) throw new Error(place.left)
      return [url, done(openPostgres({ place: place.right }))]
    },
  }

/** What a database has before, and the workers of the server that waits. */
const EARLIER: ReadonlyArray<readonly [string, string, (engine: Database) => Promise<void>]> = [
  ['nothing', '2', async () => {}],
  [
    'an unreleased schema',
    '1',
    async (engine) => {
      await done(makeMigrator(engine, systemClock, MIGRATIONS).migrate())
      await makeUnreleased(engine)
    },
  ],
]

for (const [engine, open] of Object.entries(ENGINES))
  for (const [content, workers, prepare] of EARLIER)
    t.test(
      `I3: ${engine} with ${content}: ${workers} workers wait for the migration of another process, say so once, and answer probes`,
      async (t) => {
        const folder = t.testdir()
        const [setting, opening] = await open(folder)
        const other = await opening
        await prepare(other)
        const migration = await stallMigration(other)
        const port = await freePort()
        const url = `http://127.0.0.1:${port}`
        const starting = serve(folder, [], {
          ALMONER_DATABASE: setting,
          ALMONER_MEDIA: `file:${folder}/media`,
          ALMONER_PORT: port,
          ALMONER_WORKERS: workers,
        })
        t.match(await (await answerOf(`${url}/health/live`)).json(), { status: 'live' })
        for (const path of ['/health/ready', '/library/', '/console']) {
          const answer = await fetch(`${url}${path}`)
          t.strictSame([answer.status, answer.headers.get('retry-after')], [503, '5'], path)
          t.match(await answer.json(), { code: 'unavailable', status: 503 })
        }
        await migration.finish()
        const server = await starting
        t.equal((await fetch(`${url}/health/ready`)).status, 200)
        const { code, err } = await server.stop()
        await other.close()
        t.equal(code, 0)
        const lines = logLines(err).map(({ msg }) => msg)
        t.equal(
          lines.filter((msg) => msg === 'waiting for another process to migrate the database').length,
          1,
        )
        t.notOk(lines.includes('migrating the database'), 'the other one has done it')
      },
    )
