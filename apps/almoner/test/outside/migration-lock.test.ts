import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sharedCluster } from '@almoner/postgres-server'
import pg from 'pg'
import t from 'tap'
import { logLines, serve } from '../support/almoner.ts'

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

t.test(
  'I3: a server that waits for the migration of another process says so, and answers probes',
  async (t) => {
    const cluster = await sharedCluster()
    await cluster.createDatabase('locked')
    const other = new pg.Client(cluster.url('locked'))
    await other.connect()
    const lock = `select pg_advisory_lock(${0x41_6c_6d_6f})`
    for (const workers of ['1', '2']) {
      await other.query(lock)
      await other.query('drop schema public cascade; create schema public')
      const folder = t.testdir()
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const starting = serve(folder, [], {
        ALMONER_DATABASE: cluster.url('locked'),
        ALMONER_MEDIA: `file:${folder}/media`,
        ALMONER_PORT: port,
        ALMONER_WORKERS: workers,
      })
      t.match(await (await answerOf(`${url}/health/live`)).json(), { status: 'live' }, workers)
      for (const path of ['/health/ready', '/library/', '/console']) {
        const answer = await fetch(`${url}${path}`)
        t.strictSame([answer.status, answer.headers.get('retry-after')], [503, '5'], path)
        t.match(await answer.json(), { code: 'unavailable', status: 503 })
      }
      await other.query('select pg_advisory_unlock_all()')
      const server = await starting
      t.equal((await fetch(`${url}/health/ready`)).status, 200)
      const { code, err } = await server.stop()
      t.equal(code, 0)
      const waited = logLines(err).filter(
        ({ msg }) => msg === 'waiting for another process to migrate the database',
      )
      t.equal(waited.length, 1)
    }
    await other.end()
  },
)
