// Restarts the workers of a server again and again while readers and writers go on, and looks whether any request fails:
// node tools/stress/restart.ts [restarts] [workers]
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fill } from '../bench/fill.ts'
import { askMeanwhile, tableOf } from './askers.ts'
import { authorization, newManager, startServer } from './server.ts'

const RESTARTS = Number(process.argv[2] ?? 20)
const ALMONER_WORKERS = process.argv[3] ?? '2'
const ITEMS = 2000

const folder = mkdtempSync(join(tmpdir(), 'almoner-restart-'))
await fill(join(folder, 'almoner.db'), ITEMS)
const manager = newManager(folder)
const server = await startServer(folder, { ALMONER_WORKERS })
const { authorization: token } = await authorization(server.url, manager)

let restarted = () => {}
let wrong = ''
createInterface({ input: server.process.stderr ?? process.stdin }).on('line', (line) => {
  if (/a worker died|was given up/.test(line)) wrong = line
  if (wrong !== '' || line.includes('"msg":"restarted"')) restarted()
})

const ended = askMeanwhile(server.url, token)
const started = performance.now()
for (let n = 1; n <= RESTARTS && wrong === ''; n += 1) {
  const over = new Promise<void>((resolve) => {
    restarted = resolve
  })
  server.process.kill('SIGUSR2')
  await over
  process.stderr.write(`\rrestart ${n} of ${RESTARTS} `)
  await pause(Math.random() * 500)
}
const seconds = (performance.now() - started) / 1000
const tallies = await ended()
const exit = once(server.process, 'exit')
server.process.kill('SIGTERM')
const [code] = await exit
rmSync(folder, { recursive: true, force: true })

process.stdout.write(
  `\n${tableOf(tallies)}\n${RESTARTS} restarts of ${ALMONER_WORKERS} workers in ${seconds.toFixed(0)} s; exit code ${code}. ${wrong}\n`,
)
process.exitCode = wrong === '' && code === 0 && tallies.every(({ faults }) => faults.length === 0) ? 0 : 1
