// Four processes of the service on two addresses, with images in S3, and a balancer in front of them that asks another one for a read that has no answer.
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { startS3Store } from '../../../packages/adapters-media/test/support/s3-store.ts'
import { folder } from '../campaign.ts'
import { type Server, type Settings, startServer } from '../server.ts'
import { database, moment } from './servers.ts'

/** Processes by address; the first of each keeps no answers. */
export const PLACES = ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.2'] as const

/** Milliseconds after which the balancer asks another process, and after which a process that could not start is started again. */
const [IMPATIENCE, RESTART] = [10_000, 500]

const s3 = await startS3Store()

/** What all processes and commands have in common. */
export const settings: Settings = {
  ...database.ofProcesses,
  ALMONER_MEDIA: `s3://${s3.newBucket()}/media?endpoint=${s3.endpoint}`,
  AWS_REGION: 'eu-west-3',
  ALMONER_BASE_URL: 'https://almoner.example.org',
  ALMONER_PUSH: `file:${join(folder, 'pushes')}`,
  ALMONER_CONSOLE: 'off',
  ALMONER_LOG_LEVEL: 'error',
}

/** A process, with the latest version of each item that it has shown or acknowledged. */
export interface Process {
  readonly number: number
  /** Whether it keeps answers. */
  readonly keeps: boolean
  readonly server: Server
  readonly agent: Agent
  readonly shown: Map<string, number>
  /** Whether it is to answer: it is neither halted nor ended. */
  isWell: boolean
}

/** The processes that the balancer asks. */
export const processes: Array<Process> = []

/** How often a process gave the balancer no answer, by the error, and whether the process was well. */
export const withoutAnswer: Record<string, number> = {}

let started = 0

/** Starts a process, again and again while the database cannot be reached. */
const start = async (place: number): Promise<void> => {
  const own = { ALMONER_HOST: PLACES[place] ?? '', ...(place % 2 === 0 && { ALMONER_CACHE: '0' }) }
  const server = await startServer(folder, { ...settings, ...own }).catch(() => undefined)
  if (server === undefined) return pause(RESTART).then(() => start(place))
  started += 1
  processes[place] = {
    number: started,
    keeps: place % 2 !== 0,
    server,
    agent: new Agent({ keepAlive: true }),
    shown: new Map(),
    isWell: true,
  }
}

/** Asks a process. Throws if it does not begin to answer in time. */
const pass = async ({ server, agent }: Process, from: IncomingMessage, body: Buffer) => {
  const { connection: _, ...headers } = from.headers
  const signal = AbortSignal.timeout(IMPATIENCE)
  const onward = request(`${server.url}${from.url}`, { method: from.method, headers, agent, signal })
  onward.end(body)
  const [answer] = await once(onward, 'response')
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

let turn = 0
const next = (): Process => {
  turn += 1
  return processes[turn % processes.length] as Process
}

/** Asks the next process, and for a read that has no answer each of the others. */
const forward = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
  const body = await buffer(from)
  for (let tries = from.method === 'GET' ? 2 * PLACES.length : 1; ; tries -= 1) {
    const process = next()
    const wasWell = process.isWell
    const answer = await pass(process, from, body).catch(String)
    if (typeof answer === 'object') {
      const { connection: _, 'transfer-encoding': __, ...headers } = answer.headers
      to.writeHead(answer.status ?? 500, { ...headers, 'x-process': process.number }).end(answer.body)
      return
    }
    const name = `${answer.replace(/ \d.*/, '')}${wasWell && process.isWell ? '' : ', disturbed'}`
    withoutAnswer[name] = (withoutAnswer[name] ?? 0) + 1
    if (tries === 1) throw new Error(answer)
  }
}
// A connection that is closed because it is idle would be a failed request.
const balancer = createServer({ keepAliveTimeout: 0 }, (from, to) => {
  forward(from, to).catch(() => (to.headersSent ? to.destroy() : to.writeHead(502).end('{}')))
})
await once(balancer.listen(0, '127.0.0.1'), 'listening')

/** The address of the balancer. */
export const url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`

const halts: Array<{ to: number }> = []
/** Whether a process was halted while a request was under way that was sent then and is over now: it may have held what a write waited for. */
export const wasHalted = (sent: number): boolean => halts.some(({ to }) => sent <= to)

/** What happens to a process, until it is well again or another one has its place. */
export const OF_PROCESSES: Readonly<Record<string, (process: Process, place: number) => Promise<void>>> = {
  'process halted': async (process) => {
    process.isWell = false
    const halt = { to: Number.POSITIVE_INFINITY }
    halts.push(halt)
    process.server.process.kill('SIGSTOP')
    await moment()
    process.server.process.kill('SIGCONT')
    halt.to = performance.now()
    process.isWell = true
  },
  'process killed': async (process, place) => {
    process.isWell = false
    await process.server.stop('SIGKILL')
    process.agent.destroy()
    await start(place)
  },
  'process restarted': async (process, place) => {
    process.isWell = false
    await process.server.stop()
    process.agent.destroy()
    await start(place)
  },
}

/** Starts all processes. */
export const startAll = async (): Promise<void> => {
  await Promise.all(PLACES.map((_, place) => start(place)))
}

/** Ends all processes and the store of images. */
export const stopAll = async (): Promise<void> => {
  await Promise.all(processes.map(({ server }) => server.stop()))
  await s3.stop()
}
