import { once } from 'node:events'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { currentFolder, placesIn } from '../support/advice/trial.ts'
import { logLines, serve } from '../support/almoner.ts'
import { addClient, askToken } from '../support/client.ts'
import { inProcess } from '../support/in-process.ts'

// I10: the doctor of another process finds out that a server has lost its files, which the database that it opens itself cannot show.

const ENDINGS = ['', '-wal', '-shm']

interface Places {
  readonly file: string
  readonly away: string
  /** A current database of another service. */
  readonly other: string
  /** Restores a backup. Returns the exit code. */
  readonly restore: () => Promise<unknown>
}

const WAYS: Readonly<Record<string, (places: Places) => unknown>> = {
  'all are moved, and a backup is restored in their place': async ({ file, away, restore }) => {
    t.equal(await restore(), 1, 'refused while the server has the files')
    for (const ending of ENDINGS) renameSync(file + ending, away + ending)
    t.equal(await restore(), 0)
  },
  'all are moved, and another database comes in their place': ({ file, away, other }) => {
    for (const ending of ENDINGS) renameSync(file + ending, away + ending)
    copyFileSync(other, file)
  },
  'the index of the log is removed by a cleaner': ({ file }) => rmSync(`${file}-shm`),
  'another file is renamed to the database': ({ file, other }) => renameSync(other, file),
}

const findingsOf = async (variables: Readonly<Record<string, string>>) => {
  const { code, out } = await inProcess(['doctor', '--json'], variables)
  const { findings } = JSON.parse(out) as {
    findings: ReadonlyArray<{ check: string; level: string; what: string }>
  }
  return { code, found: findings.filter(({ check }) => check === 'files') }
}

/** Asks until a server is not ready, and gives that answer. */
const notReady = async (url: string): Promise<unknown> => {
  for (;;) {
    const answer = await fetch(`${url}/health/ready`)
    const body = await answer.json()
    if (answer.status === 503) return body
  }
}

for (const [n, [way, act]] of Object.entries(WAYS).entries())
  t.test(`I10: the doctor asks the server whose files are gone: ${way}`, async (t) => {
    const folder = await currentFolder(t)
    const inData = (name: string) => join(folder, 'data', name)
    const backup = join(folder, 'backup.tar')
    const restore = async () => {
      // The server works in it meanwhile.
      rmSync(join(folder, 'data/media'), { recursive: true, force: true, maxRetries: 10 })
      return (await inProcess(['restore', backup], placesIn(folder))).code
    }
    const places = { file: inData('almoner.db'), away: inData('away.db'), other: inData('other.db'), restore }
    copyFileSync(places.file, places.other)
    const client = await addClient(folder, 'app', 'user')
    t.equal((await inProcess(['backup', backup], placesIn(folder))).code, 0)
    const host = n % 2 === 0 ? '127.0.0.1' : '0.0.0.0'
    const server = await serve(folder, [], { ...placesIn(folder), ALMONER_HOST: host })
    const { port } = new URL(server.url)
    const variables = { ...placesIn(folder), ALMONER_HOST: host, ALMONER_PORT: port }
    t.match((await findingsOf(variables)).found, [{ level: 'ok' }])
    await act(places)
    await server.logged('moved, removed or replaced')
    const url = `http://127.0.0.1:${port}`
    for (let round = 0; round < 3; round += 1) t.equal((await askToken(url, client)).status, 503)
    const body = await notReady(url)
    t.match(body, { code: 'unavailable', errors: [{ field: 'database-files' }] })
    t.notMatch(JSON.stringify(body), folder)
    const { code, found } = await findingsOf(variables)
    t.equal(code, 1)
    t.match(found, [{ level: 'fault', what: /moved, removed or replaced under the server at http:/ }])
    const { err } = await server.stop()
    const lines = logLines(err).filter(({ msg }) => /moved, removed or replaced/.test(String(msg)))
    t.equal(lines.length, 1, 'once, not for each write')
    t.match(lines[0], {
      level: 'error',
      setting: 'ALMONER_DATABASE',
      msg: /almoner\.db.* were moved, .*Restart/,
    })
    t.match((await findingsOf(variables)).found, [{ level: 'ok' }], 'no server')
  })

/** What else may answer on a port. */
const OTHERS: Readonly<Record<string, RequestListener>> = {
  'not ready for another reason': (_, response) => response.writeHead(503).end('{"code":"unavailable"}'),
  'no JSON': (_, response) => response.writeHead(503).end('<html>database-files</html>'),
  'other errors': (_, response) =>
    response.writeHead(503).end('{"errors":[null,"database-files",{"field":7}]}'),
  'a list': (_, response) => response.writeHead(200).end('[]'),
  'a redirection': (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  'a broken connection': (_, response) => response.destroy(),
}

for (const [name, listener] of Object.entries(OTHERS))
  t.test(`I10: the doctor finds nothing where another server answers: ${name}`, async (t) => {
    const folder = await currentFolder(t)
    const server = createServer(listener).listen(0, '127.0.0.1')
    t.teardown(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { found } = await findingsOf({ ...placesIn(folder), ALMONER_PORT: String(port) })
    t.match(found, [{ level: 'ok' }])
  })
