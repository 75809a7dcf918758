// What tracing costs reads that had been asked for before: node tools/bench/traced.ts [rounds] [seconds]
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { authorization, newManager, startServer } from '../stress/server.ts'
import { fill } from './fill.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
const SECONDS = Number(process.argv[3] ?? 4)
const ITEMS = 10_000
const CONNECTIONS = 16
const PATH = '/library/?lim=20'

const folder = mkdtempSync(join(tmpdir(), 'almoner-traced-'))

/** A collector that takes everything and keeps nothing. */
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'))
})
await once(collector.listen(0, '127.0.0.1'), 'listening')
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

const WAYS: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ['not traced', {}],
  ['not traced, each through Fastify', { ALMONER_RATE_LIMIT: '100000000/min' }],
  [
    'traced, one in a hundred',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    },
  ],
  ['traced, all', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }],
]

const measured = new Map<string, Array<number>>(WAYS.map(([name]) => [name, []]))

try {
  await fill(join(folder, 'data/almoner.db'), ITEMS)
  const manager = newManager(folder)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, settings] of WAYS) {
      const quiet = { ALMONER_LOG_LEVEL: 'warn', ALMONER_REVIEW: 'off' }
      const server = await startServer(folder, { ...quiet, ...settings })
      const headers = await authorization(server.url, manager)
      const ask = { url: `${server.url}${PATH}`, connections: CONNECTIONS, duration: SECONDS, headers }
      const { requests, non2xx } = await autocannon(ask)
      if (non2xx > 0) throw new Error(`${non2xx} requests were refused`)
      measured.get(name)?.push(requests.average)
      server.process.kill()
      await server.ended
    }
  for (const [name, figures] of measured) {
    const middle = figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
    process.stdout.write(`${name.padEnd(36)} ${Math.round(middle)} a second\n`)
  }
} finally {
  collector.close()
  rmSync(folder, { recursive: true, force: true })
}
