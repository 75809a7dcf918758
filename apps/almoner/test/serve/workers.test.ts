import { once } from 'node:events'
import type { Agent } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import t from 'tap'
import { almoner, logLines, type Server, serve } from '../support/almoner.ts'
import { ask, call, oneConnection, type ScriptedResponse, workerOf, workerPids } from '../support/asking.ts'
import { addClient, type Credentials, get, tokenOf } from '../support/client.ts'
import { inFolder } from '../support/in-process.ts'
import { pushedTo, schedule, withDevices } from '../support/readers.ts'

const DEVICES = Array.from({ length: 300 }, (_, n) => n + 1)

const TWO = { ALMONER_WORKERS: '2' }

/** Sends requests on new and persistent connections alternately until it is stopped; returns the responses. */
const askOn = (url: string) => {
  let asking = true
  const asker = async (agent: Agent | false): Promise<ReadonlyArray<number>> => {
    const statuses: Array<number> = []
    while (asking) statuses.push((await ask(url, {}, agent)).status)
    return statuses
  }
  const agents: ReadonlyArray<Agent | false> = [false, oneConnection()]
  const all = Promise.all(agents.map(asker))
  return () => {
    asking = false
    return all
  }
}

const requestsIn = (figures: string, route: string): number =>
  [...figures.matchAll(/^almoner_http_request_duration_seconds_count\{.*route="([^"]*)".*\} (\d+)$/gm)]
    .filter(([, name]) => name === route)
    .reduce((sum, [, , count]) => sum + Number(count), 0)

const pidOf = (server: Server, number: number): number =>
  Number(
    logLines(server.said().err).findLast(
      ({ msg, worker }) => msg === 'a worker takes requests' && worker === number,
    )?.['workerPid'],
  )

/** Requests a token on a new connection. */
const askAnew = async (url: string, { client_id, client_secret }: Credentials): Promise<ScriptedResponse> => {
  const answer = await call(`${url}/oauth2/get-token`, {
    method: 'POST',
    headers: { connection: 'close' },
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  })
  return { status: answer.status, id: answer.headers.get('x-request-id') ?? '', body: await answer.text() }
}

/** A connection to each of two workers, by number. */
const connectToBoth = async (server: Server, url: string, headers: Readonly<Record<string, string>>) => {
  const agents = [oneConnection(), oneConnection()] as const
  const numbers = []
  for (const agent of agents) numbers.push(await workerOf(server, await ask(url, headers, agent)))
  return { numbers, agents, second: numbers[0] === 2 ? agents[0] : agents[1] }
}

t.test('ALMONER_WORKERS: several processes are one service', async (t) => {
  const folder = t.testdir()
  const [app, other, third] = [
    await addClient(folder, 'app', 'user'),
    await addClient(folder, 'other', 'user'),
    await addClient(folder, 'third', 'user'),
  ]
  const server = await serve(folder, [], {
    ...TWO,
    ALMONER_RATE_LIMIT: '30/min',
    ALMONER_METRICS: '127.0.0.1:0',
  })
  const library = `${server.url}/library/?lim=1`
  const { access_token } = await tokenOf(server.url, app)
  const headers = { authorization: `Bearer ${access_token}` }

  t.test('port 0 is one port for all, and there is one listening line', async (t) => {
    const { numbers } = await connectToBoth(server, library, headers)
    t.strictSame(numbers.toSorted(), [1, 2])
    const lines = logLines(server.said().err)
    t.equal(lines.filter(({ msg }) => msg === 'listening').length, 1)
    t.equal(lines[0]?.['msg'], 'metrics listening')
    t.equal(lines[1]?.['msg'], 'listening', 'nothing else before it')
  })

  t.test('I3: the metrics sum up all processes', async (t) => {
    const line = logLines(server.said().err).find(({ msg }) => msg === 'metrics listening')
    const read = async () => (await fetch(`${line?.['url']}/metrics`)).text()
    let figures = await read()
    // On a busy machine a worker may answer too late, and counts with what it said before.
    while (requestsIn(figures, '/library/') < 2) figures = await read()
    t.equal(requestsIn(figures, '/library/'), 2)
    t.equal(requestsIn(figures, '/oauth2/get-token'), 1)
  })

  t.test('A8: wrong credentials count together in all processes', async (t) => {
    const wrong = { client_id: 'app', client_secret: 'wrong' }
    const answers: Array<ScriptedResponse> = []
    for (let n = 0; n < 11; n += 1) answers.push(await askAnew(server.url, wrong))
    t.strictSame(
      answers.map(({ status }) => status),
      [...Array(10).fill(401), 429],
    )
    const workers = new Set(await Promise.all(answers.map((answer) => workerOf(server, answer))))
    t.equal(workers.size, 2)
  })

  t.test('a killed worker is replaced, and the others continue', async (t) => {
    const { second } = await connectToBoth(server, library, headers)
    const pid = pidOf(server, 1)
    const before = workerPids(server).length
    process.kill(pid, 'SIGKILL')
    const statuses = new Set<number>()
    do statuses.add((await ask(`${server.url}/health/ready`, headers, second)).status)
    while (workerPids(server).length === before)
    t.strictSame([...statuses], [200])
    const { numbers } = await connectToBoth(server, library, headers)
    t.strictSame(numbers.toSorted(), [1, 2], 'the new worker has its number')
    t.match(
      logLines(server.said().err).find(({ msg }) => msg === 'a worker died'),
      { worker: 1, workerPid: pid, by: 'SIGKILL' },
    )
  })

  t.test('SIGUSR2 replaces all workers, one by one, and no request fails', async (t) => {
    const before = workerPids(server)
    const end = askOn(`${server.url}/health/ready`)
    server.signal('SIGUSR2')
    await server.logged('"msg":"restarted"')
    const statuses = (await end()).flat()
    t.strictSame([...new Set(statuses)], [200])
    t.comment(`${statuses.length} requests meanwhile`)
    t.equal(workerPids(server).length, before.length + 2)
    const again = await askAnew(server.url, { client_id: 'app', client_secret: 'wrong' })
    t.equal(again.status, 429, 'A8: new workers know earlier wrong credentials')
  })

  t.test('A6: all processes reject a disabled client and a replaced secret at once', async (t) => {
    t.equal((await get(library, access_token)).status, 200)
    await inFolder(folder, ['client', 'disable', 'app'])
    const { numbers } = await connectToBoth(server, library, headers)
    t.strictSame(numbers.toSorted(), [1, 2])
    for (let n = 0; n < 4; n += 1) t.equal((await ask(library, headers)).status, 401)

    const { access_token: token } = await tokenOf(server.url, other)
    const fresh = JSON.parse((await inFolder(folder, ['client', 'rotate', 'other'])).out)
    const workers = new Set<unknown>()
    for (const [credentials, status] of [
      [other, 401],
      [other, 401],
      [fresh, 200],
    ] as const) {
      const answer = await askAnew(server.url, credentials)
      t.equal(answer.status, status)
      workers.add(await workerOf(server, answer))
    }
    t.equal(workers.size, 2)
    t.equal((await get(library, token)).status, 200, 'tokens stay valid')
  })

  t.test('A8, I8: all processes share one rate limit, also with a process that starts', async (t) => {
    const { access_token } = await tokenOf(server.url, third)
    const headers = { authorization: `Bearer ${access_token}` }
    const { agents, second } = await connectToBoth(server, library, headers)
    for (let n = 0; n < 28; n += 1) t.equal((await ask(library, headers)).status, 200)
    for (const agent of agents) {
      let status = 0
      while (status !== 429) ({ status } = await ask(library, headers, agent))
    }
    const before = workerPids(server).length
    process.kill(pidOf(server, 1), 'SIGKILL')
    while (workerPids(server).length === before) await ask(`${server.url}/health/ready`, {}, second)
    const statuses: Array<number> = []
    for (let n = 0; n < 4; n += 1) statuses.push((await ask(library, headers)).status)
    const isOver = (await ask(library, headers, second)).status === 200
    t.ok(isOver || statuses.every((status) => status === 429), 'until the minute is over')
  })

  t.test('SIGTERM stops all processes with exit 0', async (t) => {
    const { code, out, err } = await server.stop()
    t.strictSame([code, out], [0, ''])
    t.equal(err.trimEnd().split('\n').length, logLines(err).length, 'every line is JSON')
    t.match(logLines(err).at(-1), { msg: 'stopped' })
    for (const pid of workerPids(server)) t.throws(() => process.kill(pid, 0), 'no process is left')
  })
})

t.test('G5: workers share reviews; when the primary is killed they exit', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, DEVICES.length)
  await schedule(folder, 1)
  const server = await serve(folder, [], { ...TWO, ALMONER_PUSH_WINDOW: '5' })
  for (const device of DEVICES) await server.logged(`"deviceId":${device},`)
  // Node itself writes that its inspector listens, or that this port is taken.
  process.kill(pidOf(server, 2), 'SIGUSR1')
  await server.logged('127.0.0.1:9229')
  server.signal('SIGKILL')
  // Its end is that of the last process that holds its streams.
  const { code, err } = await server.ended
  t.equal(code, null)
  t.strictSame(
    pushedTo(err).toSorted((a, b) => a - b),
    DEVICES,
  )
  t.equal(logLines(err).filter(({ reason }) => reason === 'the primary is gone').length, 2)
})

t.test('a port in use is one line, for any number of workers', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const { code, out, err } = await almoner(t.testdir(), ['serve'], { ...TWO, ALMONER_PORT: String(port) })
  taken.close()
  t.strictSame([code, out], [1, ''])
  t.match(err, /^almoner: the server cannot listen: [^\n]*EADDRINUSE[^\n]*\n$/)
})
