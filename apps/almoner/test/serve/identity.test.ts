import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CreateFeedItem, callerWith, parseInput } from '@almoner/domain'
import type { StorageId } from '@almoner/domain/media'
import { freshDatabase, sharedCluster } from '@almoner/postgres-server'
import { done } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import pg from 'pg'
import pino from 'pino'
import t, { type Test } from 'tap'
import { openService } from '../../src/composition/server.ts'
import { readSettings } from '../../src/config/read.ts'
import { openAlmoner } from '../../src/index.ts'
import { startServing } from '../../src/serve/serving.ts'
import type { Variables } from '../support/almoner.ts'
import { DEFAULT_DATABASE } from '../support/database.ts'
import { inProcess } from '../support/in-process.ts'

// D6: a running process notices that its database or its image storage has become another one.

interface Place {
  readonly variables: Variables
  /** Runs a statement beside the program. */
  readonly change: (statement: string) => Promise<unknown>
}

const ENGINES: Readonly<Record<string, (folder: string) => Promise<Place>>> = {
  SQLite: async (folder) => ({
    variables: { ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}` },
    change: async (statement) => {
      const database = new Database(join(folder, DEFAULT_DATABASE))
      database.exec(statement)
      database.close()
    },
  }),
  PostgreSQL: async () => {
    const { cluster, name, url } = await freshDatabase(async () => {})
    return { variables: { ALMONER_DATABASE: url }, change: (statement) => cluster.ask(statement, name) }
  },
}

/** A server in this process, with an identity of its database and its storage. */
const startServer = async (t: Test, variables: Variables) => {
  const settings = readSettings({
    ...variables,
    ALMONER_PORT: '0',
    ALMONER_CONSOLE: 'off',
    ALMONER_REVIEW: 'off',
  })
  if (E.isLeft(settings)) throw new Error(settings.left.join())
  const lines: Array<string> = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const service = await openService(settings.right, logger)
  const serving = await startServing(service, logger)
  t.teardown(serving.stop)
  await done(service.ports.storageIdentity.establish('own' as StorageId))
  await done(service.ports.mediaStore.writeMarker('own' as StorageId))
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${serving.http.port}/health/ready`)
    const { degraded = [] } = (await answer.json()) as { degraded?: ReadonlyArray<string> }
    return { status: answer.status, degraded }
  }
  return {
    service,
    serving,
    ready,
    said: (part: string) => lines.filter((line) => line.includes(part)).length,
  }
}

const LOST = [
  "update storage_identity set id = 'another'",
  'delete from storage_identity',
  'update schema_migrations set applied_at = applied_at + 1',
]

for (const [engine, make] of Object.entries(ENGINES)) {
  t.test(
    `D6, ${engine}: /health/ready is 503 while the database is another one, and one log line says so`,
    async (t) => {
      const folder = t.testdir({ data: { media: {} } })
      const { variables, change } = await make(folder)
      const { ready, said } = await startServer(t, {
        ...variables,
        ALMONER_MEDIA: `file:${folder}/data/media`,
      })
      t.strictSame(await ready(), { status: 200, degraded: [] })
      for (const [n, statement] of LOST.entries()) {
        await change(statement)
        for (const _ of [1, 2]) t.equal((await ready()).status, 503, statement)
        t.equal(said('"msg":"database-changed: ALMONER_DATABASE leads to another database'), n + 1)
        await change("delete from storage_identity; insert into storage_identity values (1, 'own', null)")
        if (statement.includes('applied_at'))
          await change('update schema_migrations set applied_at = applied_at - 1')
        t.equal((await ready()).status, 200, `${statement}, undone`)
      }
    },
  )

  t.test(
    `D6, ${engine}: another image storage, or none, is degraded, and takes no node out of rotation`,
    async (t) => {
      const folder = t.testdir({ data: { media: {} } })
      const { variables } = await make(folder)
      const { ready, said } = await startServer(t, {
        ...variables,
        ALMONER_MEDIA: `file:${folder}/data/media`,
      })
      const marker = join(folder, 'data/media/.almoner-identity')
      t.strictSame(await ready(), { status: 200, degraded: [] })
      for (const spoil of [() => writeFileSync(marker, 'another'), () => rmSync(marker)]) {
        spoil()
        for (const _ of [1, 2])
          t.match(await ready(), { status: 200, degraded: [/^image-storage-changed: /] })
        writeFileSync(marker, 'own')
        t.strictSame(await ready(), { status: 200, degraded: [] })
      }
      t.equal(said('image-storage-changed'), 2)
    },
  )

  t.test(`D6, ${engine}: doctor names a server that works on other data`, async (t) => {
    const folder = t.testdir({ data: { media: {} } })
    const { variables, change } = await make(folder)
    const places = { ...variables, ALMONER_MEDIA: `file:${folder}/data/media` }
    const { serving, ready, service } = await startServer(t, places)
    await ready()
    serving.startJobs({ maintenance: true })
    while ((await done(service.ports.nodes.since(0 as never))).length === 0) await pause(10)
    const doctor = async () =>
      (await inProcess(['doctor', '--json'], { ...places, ALMONER_CONSOLE: 'off' })).out
    t.notMatch(await doctor(), /behind ALMONER_DATABASE/)
    await change('update schema_migrations set applied_at = applied_at + 1000')
    t.match(await doctor(), /the database behind ALMONER_DATABASE is not the same everywhere/)
    writeFileSync(join(folder, 'data/media/.almoner-identity'), 'another')
    t.match(await doctor(), /the image storage behind ALMONER_MEDIA is not the same everywhere/)
  })
}

t.test("D6: a host's pool opens the tables of a running server, whose data stay", async (t) => {
  const cluster = await sharedCluster()
  await cluster.createDatabase('embedded')
  const folder = t.testdir({ data: { media: {} } })
  const places = { ALMONER_DATABASE: cluster.url('embedded'), ALMONER_MEDIA: `file:${folder}/data/media` }
  const { ready, service } = await startServer(t, places)
  t.equal((await inProcess(['client', 'add', '--id', 'app', '--scope', 'user'], places)).code, 0)
  const pool = new pg.Pool({ connectionString: cluster.url('embedded') })
  const host = await openAlmoner({
    database: pool,
    media: places.ALMONER_MEDIA,
    baseUrl: 'https://www.example.org',
  })
  const draft = parseInput(CreateFeedItem, {
    itemType: 'photo',
    itemTitle: 'A well',
    itemDescription: 'Clean water.',
  })
  if (!draft.ok) throw new Error('the draft is invalid')
  const created = await host.promises.feed.create(callerWith('content-manager'), draft.value)
  if (!created.ok) throw new Error(created.error._tag)
  t.ok(
    O.isSome(await done(service.ports.feedItems.find(created.value.id))),
    'the server sees what the host writes',
  )
  t.match(await inProcess(['client', 'list'], places), { code: 0, out: /^app/m })
  t.strictSame(await ready(), { status: 200, degraded: [] })
  t.notMatch((await inProcess(['doctor'], places)).out, /media adopt/)
  await host.close()
  await pool.end()
})
