// The same promises as rank.ts, over HTTP on a running server: node tools/bench/whole.ts [items]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { authorization, newManager, peakOf, startServer } from '../stress/server.ts'
import { fill } from './fill.ts'

const ITEMS = Number(process.argv[2] ?? 1_000_000)
const DEEP = Math.floor(ITEMS * 0.9)
const PAGES = 400

const folder = mkdtempSync(join(tmpdir(), 'almoner-whole-'))

const ITEM = /"itemId":"([^"]+)".*?"itemPublicationDate":"([^"]+)"/g

/** Reads the whole collection as it comes; gives how many items it had and the place of the one at rank {@link DEEP}. */
const readWhole = async (url: string, headers: Record<string, string>) => {
  const response = await fetch(`${url}/library/`, { headers })
  const decoder = new TextDecoder()
  let [text, items, deep] = ['', 0, '']
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('}}')
    if (end < 0) continue
    for (const [, id, day] of text.slice(0, end).matchAll(ITEM)) {
      items += 1
      if (items === DEEP) deep = `${day}~${id}`
    }
    text = text.slice(end)
  }
  return { items, deep, complete: text === '}}]}' }
}

const writeUntil = async (url: string, headers: Record<string, string>, finished: () => boolean) => {
  const item = {
    itemTitle: 'Written meanwhile',
    itemDescription: 'x',
    link: 'https://example.org/',
    itemPublicationDate: '2030-01-01',
  }
  let [written, slowest] = [0, 0]
  while (!finished()) {
    const start = performance.now()
    const response = await fetch(`${url}/library/`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(item),
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a write got ${response.status}`)
    slowest = Math.max(slowest, performance.now() - start)
    written += 1
    await pause(100)
  }
  return { written, slowest }
}

/** The median time of a page in milliseconds, alternating between two addresses so that both meet the same machine. */
const medians = async (addresses: ReadonlyArray<string>, headers: Record<string, string>) => {
  const times: ReadonlyArray<Array<number>> = addresses.map(() => [])
  for (let n = 0; n < PAGES; n += 1)
    for (const [at, address] of addresses.entries()) {
      const start = performance.now()
      await (await fetch(address, { headers })).arrayBuffer()
      times[at]?.push(performance.now() - start)
    }
  return times.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0)
}

try {
  await fill(join(folder, 'almoner.db'), ITEMS)
  const manager = newManager(folder)
  const server = await startServer(folder)
  const headers = await authorization(server.url, manager)
  let finished = false
  const start = performance.now()
  const reading = readWhole(server.url, headers).finally(() => {
    finished = true
  })
  const writes = await writeUntil(server.url, headers, () => finished)
  const whole = await reading
  const seconds = (performance.now() - start) / 1000
  const peak = peakOf(server.process)
  const page = `${server.url}/library/?lim=20`
  const [top = 0, deep = 0] = await medians([page, `${page}&after=${whole.deep}`], headers)
  process.stdout.write(`| over HTTP | |
| --- | --- |
| items in one answer | ${whole.items}, ${whole.complete ? 'whole' : 'CUT SHORT'} |
| time | ${seconds.toFixed(1)} s |
| peak memory of the server | ${peak.toFixed(0)} MB |
| written meanwhile | ${writes.written} items, slowest ${writes.slowest.toFixed(0)} ms |
| page of 20 at rank 0, at rank ${DEEP} | ${top.toFixed(2)} ms, ${deep.toFixed(2)} ms, ratio ${(deep / top).toFixed(2)} |
`)
  server.process.kill('SIGTERM')
  await server.ended
} finally {
  rmSync(folder, { recursive: true, force: true })
}
