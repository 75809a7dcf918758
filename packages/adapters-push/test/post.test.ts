import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { Agent } from 'undici'
import { makeTimeLimit, type PostResponse, post, type Reading } from '../src/connections.ts'
import { manualTimers, PATIENT } from './time.ts'

/** Reads at most this number of bytes of an answer. */
const reading = (most = 100): Reading<PostResponse> => ({
  most,
  isEnough: () => true,
  answered: (answer) => answer,
  unanswered: (error) => Promise.reject(error),
})

/** A scripted server, and a client of it. */
const withServer = async (t: Test, answer: (response: ServerResponse) => void) => {
  let seen = 0
  const server = createServer((request, response) => {
    seen += 1
    request.resume()
    answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent()
  t.teardown(async () => {
    await agent.destroy()
    server.close()
    server.closeAllConnections()
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/place?a=1`)
  const timers = manualTimers()
  const timeLimit = makeTimeLimit(PATIENT, timers.startTimer)
  const send = (most?: number) =>
    timeLimit.run<PostResponse | 'late'>('late', (deadline) =>
      post(agent, { url, headers: {}, body: 'x' }, deadline, reading(most)),
    )
  return { agent, url, send, timers, seen: () => seen }
}

t.test('a response has its status, its Retry-After and its text', async (t) => {
  const { send } = await withServer(t, (response) =>
    response.writeHead(429, { 'retry-after': '7' }).end('too much'),
  )
  const answer = await send()
  if (answer === 'late') return t.fail('late')
  const { status, retryAfter, body, isWhole } = answer
  t.strictSame(
    { status, retryAfter, body, isWhole },
    { status: 429, retryAfter: '7', body: 'too much', isWhole: true },
  )
})

t.test('a response that is aborted, or longer than the limit, is incomplete', async (t) => {
  const broken = await withServer(t, (response) => {
    response.writeHead(404, { 'content-length': '50' })
    response.write('half', () => response.destroy())
  })
  t.match(await broken.send(), { status: 404, body: 'half', isWhole: false })
  const endless = await withServer(t, (response) => response.write('a'.repeat(1000)))
  t.match(await endless.send(10), { status: 200, body: 'a'.repeat(10), isWhole: false })
})

t.test('an informational response is not the response', async (t) => {
  const { send } = await withServer(t, (response) => {
    response.writeProcessing()
    response.destroy()
  })
  await t.rejects(send())
})

t.test('a late response is abandoned, and a late request is not sent', async (t) => {
  const arrival = Promise.withResolvers<void>()
  const { agent, url, send, timers, seen } = await withServer(t, () => arrival.resolve())
  const sent = send()
  await arrival.promise
  t.strictSame(timers.running(), [PATIENT])
  timers.ring()
  t.equal(await sent, 'late')
  await t.rejects(
    post(agent, { url, headers: {}, body: '' }, { onTimeout: (stop) => stop() }, reading()),
    /too late/,
  )
  t.equal(seen(), 1)
})

t.test('G5: one timer serves all work under way, and none is left when all has ended', async (t) => {
  const timers = manualTimers()
  const { run, idle } = makeTimeLimit(PATIENT, timers.startTimer)
  const works = Array.from({ length: 3 }, () => Promise.withResolvers<string>())
  const results = works.map(({ promise }) => run('late', () => promise))
  t.strictSame(timers.running(), [PATIENT])
  let isIdle = false
  const ended = idle().then(() => {
    isIdle = true
  })
  works[1]?.resolve('second')
  works[0]?.resolve('first')
  t.strictSame(await Promise.all(results.slice(0, 2)), ['first', 'second'])
  t.equal(timers.running().length, 1, 'the oldest has ended, another goes on')
  t.notOk(isIdle)
  works[2]?.reject(new Error('broken'))
  await t.rejects(
    Promise.all(results.slice(2)).then(() => undefined),
    /broken/,
  )
  await ended
  t.strictSame(timers.running(), [])
  await idle()
})

t.test('G5: work is stopped when its time is over, also what it begins after that', async (t) => {
  const timers = manualTimers()
  const { run, idle } = makeTimeLimit(PATIENT, timers.startTimer)
  const stopped: Array<string> = []
  const late = Promise.withResolvers<string>()
  const results = ['a', 'b'].map((name) =>
    run('late', async (deadline) => {
      deadline.onTimeout(() => stopped.push(`${name} forgotten`))
      deadline.onTimeout(() => stopped.push(name))
      const result = await late.promise
      deadline.onTimeout(() => stopped.push(`${name} again`))
      return result
    }),
  )
  timers.ring()
  t.strictSame(await Promise.all(results), ['late', 'late'])
  t.strictSame(stopped, ['a', 'b'])
  await idle()
  late.resolve('ignored')
  await late.promise
  await new Promise(setImmediate)
  t.strictSame(stopped, ['a', 'b', 'a again', 'b again'])
  t.equal(await run('late', async () => 'next'), 'next')
  t.strictSame(timers.running(), [])
})
