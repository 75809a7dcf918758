// Hangs up 230 times in the middle of a large collection, which must then arrive whole: node tools/stress/hang-up.ts
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fill } from '../bench/fill.ts'
import { check, folder, report } from './campaign.ts'
import { addManager, authorize, startServer } from './server.ts'

const ITEMS = 60_000

await fill(join(folder, 'almoner.db'), ITEMS)
const manager = addManager(folder)
const server = await startServer(folder)
const headers = await authorize(server.url, manager)
const { hostname, port } = new URL(server.url)

const hangUp = async (after: number): Promise<void> => {
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  socket.write(`GET /library/ HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`)
  await pause(after)
  socket.destroy()
}

for (let n = 0; n < 200; n += 1) await hangUp(n % 40)
await Promise.all(Array.from({ length: 30 }, (_, n) => hangUp(n)))

const start = performance.now()
const text = await (await fetch(`${server.url}/library/`, { headers })).text()
const milliseconds = Math.round(performance.now() - start)
check(JSON.parse(text).items.length === ITEMS, 'the collection is not whole')
report({ bytes: Buffer.byteLength(text), milliseconds })
