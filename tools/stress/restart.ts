// Restarts a server while readers and writers go on, and fails when any request fails.
// Usage: node tools/stress/restart.ts [--restarts 20] [--of workers|nodes]
//   workers: the two workers of one server, by SIGUSR2
//   nodes: two servers by turns, by SIGTERM, behind a balancer that asks them for /health/ready
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fill } from '../bench/fill.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { statusOf } from './load.ts'
import { addManager, authorize, type Server, startServer } from './server.ts'

const { restarts, of } = options({ restarts: 20, of: 'workers' })
/** Milliseconds between two questions of the balancer. */
const INTERVAL = 200

const PAGE = '/library/?lim=20'
const ITEM = JSON.stringify({
  itemTitle: 'Written meanwhile',
  itemDescription: 'x',
  link: 'https://example.org/',
  itemPublicationDate: '2030-01-01',
})

/** What a client repeats: on one kept connection or on new ones, and with a random pause of at most `wait` milliseconds. */
const CLIENTS = [
  { name: 'pages, kept connections', isKept: true, wait: 0, path: PAGE },
  { name: 'pages, kept connections, with pauses', isKept: true, wait: 300, path: PAGE },
  { name: 'pages, new connections', isKept: false, wait: 0, path: PAGE },
  { name: 'whole collections', isKept: true, wait: 0, path: '/library/' },
  { name: 'writes, kept connections', isKept: true, wait: 20, path: '/library/', body: ITEM },
  { name: 'writes, new connections', isKept: false, wait: 20, path: '/library/', body: ITEM },
]

/** Starts two clients of each kind, which repeat no failed request. Returns the function that ends them and counts the requests. */
const startClients = (url: string, authorization: string) => {
  const headers = { authorization, 'content-type': 'application/json' }
  const counts: Record<string, number> = {}
  let isOver = false
  const run = async ({ name, isKept, wait, path, body }: (typeof CLIENTS)[number]): Promise<void> => {
    const agent = isKept && new Agent({ keepAlive: true, maxSockets: 1 })
    for (; !isOver; await pause(Math.random() * wait)) {
      counts[name] = (counts[name] ?? 0) + 1
      const outcome = await statusOf(`${url}${path}`, { agent, headers, body }).catch(String)
      check(outcome === 200, `${name}: ${outcome}`)
    }
    if (agent) agent.destroy()
  }
  const all = Promise.all([...CLIENTS, ...CLIENTS].map(run))
  return async () => {
    isOver = true
    await all
    return counts
  }
}

const restartWorkers = async () => {
  const server = await startServer(folder, { ALMONER_WORKERS: '2' })
  const { promise: failed, reject } = Promise.withResolvers<never>()
  let restarted = () => {}
  server.log.on('line', (line) => {
    if (/a worker died|was given up/.test(line)) reject(new Error(line))
    if (line.includes('"msg":"restarted"')) restarted()
  })
  return {
    url: server.url,
    restart: async () => {
      const over = new Promise<void>((resolve) => {
        restarted = resolve
      })
      server.process.kill('SIGUSR2')
      await Promise.race([over, failed])
      await pause(Math.random() * 500)
    },
    stop: async () => check((await server.stop()) === 0, 'the exit code is not 0'),
  }
}

/** A node as the balancer knows it. */
interface Node {
  readonly server: Server
  readonly agent: Agent
  isReady: boolean
}

const restartNodes = async () => {
  const nodes: Array<Node> = []
  const look = async (node: Node): Promise<void> => {
    const answer = await fetch(`${node.server.url}/health/ready`).catch(() => undefined)
    node.isReady = answer?.status === 200
  }
  const start = async (): Promise<void> => {
    const server = await startServer(folder, { ALMONER_DRAIN: '1' })
    const node = { server, agent: new Agent({ keepAlive: true }), isReady: false }
    await look(node)
    nodes.push(node)
  }
  const stop = async ({ server }: Node) => check((await server.stop()) === 0, 'an exit code is not 0')
  let turn = 0
  /** Passes a request to the next ready node and tries nothing again. */
  const forward = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const ready = nodes.filter(({ isReady }) => isReady)
    turn += 1
    const node = ready[turn % ready.length]
    if (node === undefined) throw new Error('no node is ready')
    const { connection: _, ...headers } = from.headers
    const { method, url } = from
    const onward = request(`${node.server.url}${url}`, { method, headers, agent: node.agent })
    const [[answer]] = await Promise.all([once(onward, 'response'), pipeline(from, onward)])
    const { connection: __, ...fields } = (answer as IncomingMessage).headers
    to.writeHead(answer.statusCode, fields)
    await pipeline(answer, to)
  }
  const balancer = createServer((from, to) => {
    forward(from, to).catch((error) => (to.headersSent ? to.destroy() : to.writeHead(502).end(String(error))))
  })
  await once(balancer.listen(0, '127.0.0.1'), 'listening')
  await start()
  await start()
  setInterval(() => void Promise.all(nodes.map(look)), INTERVAL)
  return {
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    restart: async () => {
      await Promise.all(nodes.slice(0, 1).map(stop))
      nodes.shift()
      await start()
    },
    stop: () => Promise.all(nodes.map(stop)),
  }
}

await fill(join(folder, 'almoner.db'), 2000)
const manager = addManager(folder)
const service = await (of === 'nodes' ? restartNodes() : restartWorkers())
const { authorization } = await authorize(service.url, manager)
const endClients = startClients(service.url, authorization)
for (let n = 1; n <= restarts; n += 1) {
  await service.restart()
  progress(`restart ${n} of ${restarts}`)
}
const requests = await endClients()
await service.stop()
report({ restarts, of, requests })
