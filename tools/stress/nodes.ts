// Restarts two nodes by turns behind a balancer that goes by /health/ready, while readers and writers go on, and looks whether any
// request fails: node tools/stress/nodes.ts [restarts]
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fill } from '../bench/fill.ts'
import { askMeanwhile, tableOf } from './askers.ts'
import { authorization, newManager, type Running, startServer } from './server.ts'

const RESTARTS = Number(process.argv[2] ?? 20)
const ITEMS = 2000
/** How often the balancer asks, in milliseconds: well within the drain. */
const LOOK = 200

const folder = mkdtempSync(join(tmpdir(), 'almoner-nodes-'))
await fill(join(folder, 'almoner.db'), ITEMS)
const manager = newManager(folder)

/** A node as the balancer knows it. */
interface Node {
  readonly server: Running
  readonly agent: Agent
  ready: boolean
}

const nodes: Array<Node> = []

const look = async (node: Node): Promise<void> => {
  const answer = await fetch(`${node.server.url}/health/ready`).catch(() => undefined)
  node.ready = answer?.status === 200
}

const addNode = async (): Promise<void> => {
  const server = await startServer(folder, { ALMONER_DRAIN: '1' })
  const node: Node = { server, agent: new Agent({ keepAlive: true }), ready: false }
  server.process.stderr?.resume()
  await look(node)
  nodes.push(node)
}

let turn = 0

/** Passes a request on to the next node that is ready. Tries nothing again. */
const passOn = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
  const ready = nodes.filter((node) => node.ready)
  turn += 1
  const node = ready[turn % ready.length]
  if (node === undefined) throw new Error('no node is ready')
  const { connection: _, ...headers } = from.headers
  const onward = request(`${node.server.url}${from.url}`, { method: from.method, headers, agent: node.agent })
  const [answered] = await Promise.all([once(onward, 'response'), pipeline(from, onward)])
  const answer = answered[0] as IncomingMessage
  const { connection: __, ...fields } = answer.headers
  to.writeHead(answer.statusCode ?? 502, fields)
  await pipeline(answer, to)
}

const balancer = createServer((from, to) => {
  passOn(from, to).catch((error) => (to.headersSent ? to.destroy() : to.writeHead(502).end(String(error))))
})
await once(balancer.listen(0, '127.0.0.1'), 'listening')
await addNode()
await addNode()
const looking = setInterval(() => void Promise.all(nodes.map(look)), LOOK)

const { port } = balancer.address() as AddressInfo
const url = `http://127.0.0.1:${port}`
const { authorization: token } = await authorization(url, manager)
const ended = askMeanwhile(url, token)
const codes: Array<unknown> = []
const stop = async ({ server }: Node): Promise<void> => {
  const exit = once(server.process, 'exit')
  server.process.kill('SIGTERM')
  codes.push((await exit)[0])
}
for (let n = 1; n <= RESTARTS; n += 1) {
  const [oldest] = nodes
  if (oldest === undefined) throw new Error('there is no node')
  await stop(oldest)
  nodes.shift()
  await addNode()
  process.stderr.write(`\rrestart ${n} of ${RESTARTS} `)
}
const tallies = await ended()
clearInterval(looking)
balancer.close()
await Promise.all(nodes.map(stop))
rmSync(folder, { recursive: true, force: true })
const good = codes.every((code) => code === 0)
process.stdout.write(
  `\n${tableOf(tallies)}\n${RESTARTS} restarts of nodes; ${good ? 'all exit codes 0' : codes.join(', ')}.\n`,
)
process.exitCode = good && tallies.every(({ faults }) => faults.length === 0) ? 0 : 1
