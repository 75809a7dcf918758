// Two nodes on one database, and editors on both that read an item and write it with If-Match, in turn or at the same time; looks
// whether anybody's accepted edit is lost. Each appends a mark of its own to what it has read.
// Usage: node tools/stress/edits.ts [--database postgres] [--interleavings 1000] [--rounds 20]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newGround } from './database.ts'
import { createItem, type Item, type Node, SHELVES, textOnceItIs, type Written } from './edits/item.ts'
import { authorization, newManager, startServer } from './server.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    interleavings: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '20' },
  },
})
const INTERLEAVINGS = Number(values.interleavings)
/** In each round many editors edit one item without waiting for each other. */
const ROUNDS = Number(values.rounds)
/** Interleavings on one item: the marks of all of them have to fit in a description. */
const EACH = 50
/** In a round: editors on each node, and edits of each. */
const EDITORS = 4
const EDITS = 20
/** The second of two writes comes at most so many milliseconds after the first. */
const APART = 12

const folder = mkdtempSync(join(tmpdir(), 'almoner-edits-'))
const ground = await newGround(values.database, folder)
const manager = newManager(folder, ground.settings)
const servers = [
  await startServer(folder, ground.settings),
  await startServer(folder, ground.settings),
] as const
const headers = await authorization(servers[0].url, manager)
const nodes: readonly [Node, Node] = [
  { url: servers[0].url, headers },
  { url: servers[1].url, headers },
]
const findings: Array<string> = []
const counts = { won: [0, 0], refused: 0, retried: 0, behind: 0 }

/** Reads and writes until it is accepted; gives what was. */
const edit = async (item: Item, node: Node, mark: string): Promise<Written> => {
  for (;;) {
    const { etag, text } = await item.read(node)
    const written = await item.write(node, etag, text + mark)
    if (written.status === 200) return written
    if (written.status !== 412) throw new Error(`status ${written.status}`)
    counts.retried += 1
  }
}

/** How far apart two writes are, in milliseconds, half of them not at all; `infinite` waits for the answer. */
const apart = (n: number): number => {
  if (n % 2 === 0) return 0
  return n % 4 === 1 ? Number.POSITIVE_INFINITY : Math.random() * APART
}

/** Both editors have read; both write, in some order. One must win, the other be refused and come in after it. */
const interleave = async (item: Item, n: number, before: string): Promise<string> => {
  const marks = [`a${n};`, `b${n};`] as const
  const read = await Promise.all(nodes.map((node) => item.read(node)))
  if (read.some(({ text }) => text !== before)) counts.behind += 1
  const write = (who: 0 | 1): Promise<Written> => {
    const { etag = '', text = '' } = read[who] ?? {}
    return item.write(nodes[who], etag, text + marks[who])
  }
  const [first, second] = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)
  const [begun, wait] = [write(first), apart(n)]
  if (wait > 0) await (wait === Number.POSITIVE_INFINITY ? begun : pause(wait))
  const statuses = (await Promise.all([begun, write(second)])).map(({ status }) => status)
  if (JSON.stringify([...statuses].sort()) !== '[200,412]')
    findings.push(`interleaving ${n}: both wrote what they had read, and got ${statuses}`)
  const [winner, loser] = statuses[0] === 200 ? [first, second] : [second, first]
  counts.won[winner] = (counts.won[winner] ?? 0) + 1
  counts.refused += 1
  const written = await edit(item, nodes[loser], marks[loser])
  const text = before + marks[winner] + marks[loser]
  if (written.text !== text) findings.push(`interleaving ${n}: ${written.text} instead of ${text}`)
  return written.text
}

/** All editors at the same time; gives what each was told that the item had become. */
const round = async (item: Item): Promise<ReadonlyArray<string>> => {
  const told: Array<string> = []
  const go = async (node: Node, name: string): Promise<void> => {
    for (let n = 0; n < EDITS; n += 1) told.push((await edit(item, node, `${name}${n};`)).text)
  }
  const names = Array.from({ length: EDITORS }, (_, n) => [`${n}a`, `${n}b`] as const)
  await Promise.all(names.flatMap(([a, b]) => [go(nodes[0], a), go(nodes[1], b)]))
  return told
}

const checkEnd = async (item: Item, text: string, name: string): Promise<void> => {
  for (const node of nodes) {
    const found = await textOnceItIs(item, node, text)
    if (found !== text) findings.push(`${name}: in the end there is ${found} instead of ${text}`)
  }
}

for (let n = 0; n < INTERLEAVINGS; ) {
  const item = await createItem(nodes[0], SHELVES[(n / EACH) % 2 === 0 ? 0 : 1], '.')
  let text = '.'
  for (let at = 0; at < EACH && n < INTERLEAVINGS; at += 1, n += 1) text = await interleave(item, n, text)
  await checkEnd(item, text, `item with interleaving ${n - 1}`)
  process.stderr.write(`\rinterleaving ${n} of ${INTERLEAVINGS}, ${findings.length} findings `)
}
const retriedBefore = counts.retried
for (let n = 1; n <= ROUNDS; n += 1) {
  const item = await createItem(nodes[1], SHELVES[n % 2 === 0 ? 0 : 1], '.')
  const told = [...(await round(item))].sort((a, b) => a.length - b.length)
  const last = told.at(-1) ?? ''
  await checkEnd(item, last, `round ${n}`)
  for (const one of told) if (!last.startsWith(one)) findings.push(`round ${n}: ${one} was accepted and lost`)
  if (last.split(';').length - 1 !== 2 * EDITORS * EDITS) findings.push(`round ${n}: marks are missing`)
  process.stderr.write(`\rround ${n} of ${ROUNDS}, ${findings.length} findings `)
}

for (const server of servers) server.process.kill('SIGTERM')
await Promise.all(servers.map(({ ended }) => ended))
await ground.stop()
const free = { edits: ROUNDS * 2 * EDITORS * EDITS, refused: counts.retried - retriedBefore }
const outcome = { ...values, ...counts, retried: retriedBefore, free, findings: findings.slice(0, 20) }
process.stdout.write(`\n${JSON.stringify(outcome, null, 2)}\n`)
rmSync(folder, { recursive: true, force: true })
process.exitCode = findings.length === 0 ? 0 : 1
