import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ports } from '@almoner/domain'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { closeWithConnection } from '../../src/lifecycle/connections.ts'
import { OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import { BOUNDARY, fileNamed } from '../support/multipart.ts'
import { asResponse, seeProblem } from '../support/problems.ts'
import { readAnswer } from '../support/raw.ts'
import { headOf, type Line, openLine, readCounter, stillClock } from '../support/seconds.ts'
import { FIELD, fileForm } from '../support/uploads.ts'

// Requests that wait for their turn keep their connection, wait for a bounded time, and give up their place with their client.

/** Uploads of files at a time, and how many more may wait: of portfolios, and of images of known callers. */
const [PORTFOLIOS, PORTFOLIOS_WAITING, IMAGES] = [4, 16, 12]

/** A portfolio without errors, whose plan is made from the present content. */
const CONTENT = [
  ...Object.entries({
    'portfolio.json': '{"name":"Ours"}',
    'sectors.json': '[]',
    'organizations.json': '[]',
    'datasets.csv': 'id,year,beneficiaries,staffHeadcount,budget,budgetCurrency\n',
  }).map(([name, text]) => `--${BOUNDARY}\r\n${fileNamed('files', `ours/${name}`)}\r\n\r\n${text}\r\n`),
  `--${BOUNDARY}--\r\n`,
].join('')

const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }

const start = async (t: Test) => {
  const clock = stillClock()
  let gate: Promise<void> | undefined
  /** A call that waits while the gate is closed. */
  const gated =
    <A extends ReadonlyArray<unknown>, B>(call: (...given: A) => () => Promise<B>) =>
    (...given: A) =>
    async () => {
      await gate
      return call(...given)()
    }
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    portfolio: { ...ports.portfolio, content: gated(ports.portfolio.content) },
    libraryItems: { ...ports.libraryItems, list: gated(ports.libraryItems.list) },
  })
  const fixture = await startConsole(t.testdir(), { everySecond: clock.everySecond, wrap })
  t.teardown(fixture.stop)
  const cookie = await signIn(fixture, 'editor')
  const read = readCounter(fixture.app)
  /** Sends a portfolio, or all of it but the last bytes. */
  const sendPortfolio = (isWhole: boolean): Line => {
    const head = { ...OWN_PAGE, ...MULTIPART, Cookie: cookie, 'Content-Length': CONTENT.length }
    const path = '/console/api/portfolio/review'
    return openLine(fixture.url, headOf(path, head) + (isWhole ? CONTENT : CONTENT.slice(0, -20)))
  }
  const many = async (count: number, isWhole: boolean) => {
    const lines = Array.from({ length: count }, () => sendPortfolio(isWhole))
    await read(lines)
    return lines
  }
  /** Closes the gate; returns the function that opens it. */
  const close = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    return () => {
      gate = undefined
      resolve()
    }
  }
  return { clock, fixture, read, sendPortfolio, many, close }
}

/** Resolves with the answer on a line once it has begun. */
const answerOn = async (line: Line) => {
  while (line.received() === '' && !line.socket.destroyed) await nextTurn()
  return readAnswer(line.received())
}

/** Resolves once the server has noticed that the clients of lines have left. */
const leave = async (app: FastifyInstance, lines: ReadonlyArray<Line>): Promise<void> => {
  const open = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  const before = await open()
  for (const { socket } of lines) socket.resetAndDestroy()
  while ((await open()) > before - lines.length) await nextTurn()
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

t.test('H4, B10: clients that leave the queue of portfolios give up their places and turns', async (t) => {
  const { fixture, many, sendPortfolio } = await start(t)
  const reading = await many(PORTFOLIOS, false)
  for (const round of ['first', 'second']) {
    const waiting = await many(PORTFOLIOS_WAITING, true)
    await seeProblem(t, asResponse(await answerOn(sendPortfolio(true))), 'unavailable', `${round}: full`)
    t.ok(waiting.every((line) => line.received() === ''))
    await leave(fixture.app, waiting)
  }
  const waiting = await many(PORTFOLIOS, true)
  await leave(fixture.app, reading)
  for (const line of waiting) t.equal((await answerOn(line)).status, 200)
  await leave(fixture.app, waiting)
  const others = await many(PORTFOLIOS - 1, false)
  t.equal((await answerOn(sendPortfolio(true))).status, 200, 'each turn is free again')
  await leave(fixture.app, others)
})

t.test('H4, B10: a portfolio that has waited for a minute is 503 with Retry-After', async (t) => {
  const { clock, close, many, sendPortfolio, read } = await start(t)
  const open = close()
  const reading = await many(PORTFOLIOS, true)
  const waiting = sendPortfolio(true)
  await read([waiting])
  await clock.pass(59)
  t.equal(waiting.received(), '')
  await clock.pass(1)
  const answer = await answerOn(waiting)
  await seeProblem(t, asResponse(answer), 'unavailable')
  t.equal(answer.headers['retry-after'], '5')
  open()
  for (const line of reading) t.equal((await answerOn(line)).status, 200, 'those that are read go on')
  for (const { socket } of [waiting, ...reading]) socket.destroy()
})

/** The connections of a server, by the ports of their clients. */
const connectionsOf = (app: FastifyInstance) => {
  const sockets = new Map<number | undefined, Socket>()
  app.server.on('connection', (socket: Socket) => sockets.set(socket.remotePort, socket))
  return ({ socket }: Line): Socket => {
    const found = sockets.get(socket.localPort)
    if (found === undefined) throw new Error('the server knows no such connection')
    return found
  }
}

t.test('a connection on which nothing moves stays open while its client waits for the server', async (t) => {
  const { fixture, close, many, sendPortfolio, read } = await start(t)
  const connectionOf = connectionsOf(fixture.app)
  const token = { Authorization: `Bearer ${await fixture.token('manager')}` }
  const open = close()
  const [checked] = await many(1, true)
  const reading = await many(PORTFOLIOS - 1, false)
  const image = { ...token, ...MULTIPART, 'Content-Length': 1000 }
  const bytes = `--${BOUNDARY}\r\n${fileNamed(FIELD, 'a.png')}\r\n\r\nx`
  const uploads = Array.from({ length: IMAGES + 1 }, () =>
    openLine(fixture.url, headOf('/library/any/media/cover', image) + bytes),
  )
  await read(uploads)
  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token.Authorization}\r\n\r\n`
  const answered = openLine(fixture.url, get('/label/'))
  await answerOn(answered)
  const lines = {
    'a portfolio that is checked': [checked, true],
    'a portfolio that is received': [reading[0], true],
    'a portfolio that waits for its turn': [sendPortfolio(true), true],
    'an image that is received': [uploads[0], true],
    'an image that waits for its turn': [uploads.at(-1), true],
    'a list that is read': [openLine(fixture.url, get('/library/')), true],
    'half a head': [openLine(fixture.url, get('/library/').slice(0, 30)), false],
    'a connection without a request': [openLine(fixture.url, ''), false],
    'a connection after its response': [answered, false],
  } as const
  for (const [name, [line, isWaiting]] of Object.entries(lines)) {
    if (line === undefined) throw new Error('it was sent')
    while (line.socket.connecting) await nextTurn()
    await read([line])
    const connection = connectionOf(line)
    const timeout = connection.timeout
    for (const time of ['once', 'twice']) {
      connection.emit('timeout')
      t.equal(connection.destroyed, !isWaiting, `${name}, ${time}`)
    }
    if (isWaiting) t.equal(connection.timeout, timeout, `${name}: its time begins again`)
  }
  open()
  for (const { socket } of [
    checked,
    ...reading,
    ...uploads,
    ...Object.values(lines).map(([one]) => one),
  ].flatMap((line) => line ?? []))
    socket.destroy()
})

/** A response as Node makes it: it waits for earlier ones until it has a socket. */
const responseOn = (socket: EventEmitter | null, nodeCloses = false) => {
  const seen = { closed: 0 }
  const response = Object.assign(new EventEmitter(), { socket, closed: false, destroyed: false })
  response.on('close', () => {
    seen.closed += 1
    response.closed = nodeCloses
  })
  return { response, seen }
}

t.test(
  'a response that waits for earlier ones closes once, with its connection, on every Node',
  async (t) => {
    const socket = new EventEmitter()
    const [queued, other, current, byNode] = [
      responseOn(null),
      responseOn(null),
      responseOn(socket),
      responseOn(null, true),
    ]
    for (const { response } of [queued, other, current, byNode, queued])
      closeWithConnection({ socket } as unknown as IncomingMessage, response as unknown as ServerResponse)
    t.equal(socket.listenerCount('close'), 1, 'one listener for all')
    socket.emit('close')
    byNode.response.emit('close')
    await nextTurn()
    await nextTurn()
    t.strictSame(
      [queued, other, current, byNode].map(({ seen }) => seen.closed),
      [1, 1, 0, 1],
    )
    t.ok(queued.response.destroyed)
  },
)

t.test('a place that a pipelined request has taken is free once its client has left', async (t) => {
  const { fixture, close, read } = await start(t)
  const token = await fixture.token('manager')
  const open = close()
  const list = `GET /library/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const image = { Authorization: `Bearer ${token}`, ...MULTIPART, 'Content-Length': 1000 }
  const upload = `${headOf('/library/any/media/cover', image)}--${BOUNDARY}\r\n${fileNamed(FIELD, 'a.png')}\r\n\r\nx`
  const places = async () => {
    const lines = Array.from({ length: IMAGES }, () => openLine(fixture.url, list + upload))
    await read(lines)
    return lines
  }
  await leave(fixture.app, await places())
  open()
  const whole = await fixture.call('POST', '/library/any/media/cover', {
    as: 'manager',
    multipart: fileForm(),
  })
  t.equal(whole.status, 404)
})

t.test(
  'a client that resets its connection while bodies wait behind an earlier request ends nothing else',
  async (t) => {
    const { fixture, close, read } = await start(t)
    const token = await fixture.token('manager')
    const list = `GET /library/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const open = close()
    for (const type of ['application/json', 'application/x-www-form-urlencoded', MULTIPART['Content-Type']])
      for (const headers of [{}, { Authorization: `Bearer ${token}` }]) {
        const head = headOf('/feed/', { ...headers, 'Content-Type': type, 'Content-Length': 100 })
        const line = openLine(fixture.url, `${list}${head}{`)
        await read([line])
        await leave(fixture.app, [line])
        t.equal((await fixture.call('GET', '/health/live')).status, 200, `${type}, ${Object.keys(headers)}`)
      }
    open()
  },
)
