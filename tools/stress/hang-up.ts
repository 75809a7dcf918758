// Readers that hang up at every moment of a large collection must leave nothing behind: node tools/stress/hang-up.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fill } from '../bench/fill.ts'
import { authorization, newManager, startServer } from './server.ts'

const ITEMS = 60_000
const READERS = 200

const folder = mkdtempSync(join(tmpdir(), 'almoner-hang-up-'))
await fill(join(folder, 'almoner.db'), ITEMS)
const manager = newManager(folder)
const server = await startServer(folder)
const headers = await authorization(server.url, manager)
const { hostname, port } = new URL(server.url)

/** Asks for the whole collection and hangs up after some milliseconds. */
const hangUp = async (after: number): Promise<void> => {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(`GET /library/ HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`)
  await pause(after)
  socket.destroy()
}

for (let n = 0; n < READERS; n += 1) await hangUp(n % 40)
await Promise.all(Array.from({ length: 30 }, (_, n) => hangUp(n)))

const started = performance.now()
const whole = await fetch(`${server.url}/library/`, { headers })
const length = (await whole.arrayBuffer()).byteLength
process.stdout.write(
  `${READERS + 30} readers hung up; then the whole list: ${whole.status}, ${length} bytes, ${Math.round(performance.now() - started)} ms\n`,
)
server.process.kill('SIGTERM')
await server.ended
rmSync(folder, { recursive: true, force: true })
process.exitCode = whole.status === 200 ? 0 : 1
