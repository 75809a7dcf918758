// An hour of everything at once; memory and files must stay as they are: node tools/stress/soak.ts [--seconds N] [--rate N] [--warm N]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fill } from '../bench/fill.ts'
import { authorization, commandWith, runBuilt, startServer } from './server.ts'
import { look, quarters } from './soak/watch.ts'
import { work } from './soak/work.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { seconds: text, rate: text, warm: text } })
const seconds = Number(values.seconds ?? 3600)
const perSecond = Number(values.rate ?? 200)
/** Seconds of the same at {@link HASTE} times the rate before the first look, by which whatever is kept within bounds has come to them. */
const warm = Number(values.warm ?? 300)
const HASTE = 4
/** Seconds between two looks. */
const EVERY = 10
/** Of tokens: short, so that some hundred are asked for. */
const TOKEN_TTL = 60
/** How much more the last quarter may hold than the second. */
const SLACK = 1.1

const folder = mkdtempSync(join(tmpdir(), 'almoner-soak-'))
await fill(join(folder, 'almoner.db'), 10_000)
runBuilt()
const settings = {
  ALMONER_TOKEN_TTL: String(TOKEN_TTL),
  ALMONER_REVIEW_EVERY: '30',
  ALMONER_PUSH: `file:${join(folder, 'pushes')}`,
}
const client = commandWith(
  folder,
  settings,
  'client',
  'add',
  '--id',
  'soak',
  '--scope',
  'content-manager',
  '--role',
  'user-manager',
)
const credentials = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: client['client_id'] ?? '',
  client_secret: client['client_secret'] ?? '',
})
const server = await startServer(folder, settings)
let token = (await authorization(server.url, credentials)).authorization
const renewing = setInterval(
  async () => {
    token = (await authorization(server.url, credentials)).authorization
  },
  (TOKEN_TTL / 2) * 1000,
)

const first = await fetch(`${server.url}/library/?lim=100`, { headers: { authorization: token } })
const items = ((await first.json()) as { items: Array<{ item: { itemId: string } }> }).items.map(
  ({ item }) => item.itemId,
)
const url = new URL(server.url)
const before = await work(url, () => token, { perSecond: perSecond * HASTE, seconds: warm, items })
const seen = [await look(server.process, server.url)]
const watching = setInterval(async () => {
  seen.push(await look(server.process, server.url))
}, EVERY * 1000)
const { counts, wrong: after } = await work(url, () => token, { perSecond, seconds, items })
const wrong = [...before.wrong, ...after]
clearInterval(watching)
clearInterval(renewing)
server.process.kill('SIGTERM')
await server.ended

const medians = quarters(seen)
process.stdout.write(
  '| quarter | memory, MB | heap, MB | external, MB | files |\n| --- | --- | --- | --- | --- |\n',
)
for (const [at, { memory, heap, external, files }] of medians.entries())
  process.stdout.write(
    `| ${at + 1} | ${memory.toFixed(0)} | ${heap.toFixed(0)} | ${external.toFixed(0)} | ${files} |\n`,
  )
process.stdout.write(
  `${Object.entries(counts)
    .map(([kind, many]) => `${many} ${kind}`)
    .join(', ')}; wrong: ${wrong.length}\n`,
)
for (const line of wrong) process.stdout.write(`${line}\n`)
const [, second, , last] = medians
const grew =
  second === undefined ||
  last === undefined ||
  last.memory > second.memory * SLACK ||
  last.files > second.files + 5
process.exitCode = wrong.length === 0 && !grew ? 0 : 1
rmSync(folder, { recursive: true, force: true })
