import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningClock, waitingTimer } from '@almoner/testkit/memory'
import t from 'tap'
import * as contracts from '../../testkit/src/contracts/index.ts'
import { type Adapters, memoryAdapters, PORT_NAMES, type PortName, SUITES } from './faulty/suites.ts'

// The in-memory adapters pass the contract suites of the ports.
const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m) => t.strictSame(a, b, m ?? ''), ok: (v, m) => t.ok(v, m ?? '') }),
  )
}

/** The suites that call methods of each port. */
const suitesOf = new Map(PORT_NAMES.map((port) => [port, new Set<string>()]))

/** Returns the adapters of a suite, which note that it uses them. */
const noting = (suite: string, adapters: Adapters): Adapters => {
  const noted = (port: PortName) =>
    new Proxy(adapters[port], {
      get: (target, method) => {
        suitesOf.get(port)?.add(suite)
        return Reflect.get(target, method)
      },
    })
  return { ...adapters, ...Object.fromEntries(PORT_NAMES.map((port) => [port, noted(port)])) }
}

for (const [name, suite] of Object.entries(SUITES))
  suite(runner, (provider) => noting(name, memoryAdapters(provider)))
contracts.clockContract(runner, () => runningClock)
contracts.timerContract(runner, () => waitingTimer)

t.test('docs/embedding.md lists every suite that an adapter of each port must pass', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/embedding.md'), 'utf8')
  const [, section = ''] = page.split('## Write an adapter')
  const rows = section.matchAll(/^- `(\w+)`: (`\w+`(?:, `\w+`)*)$/gm)
  const listed = [...rows].map(([, port = '', suites = '']) => [
    port,
    suites.replaceAll('`', '').split(', ').sort(),
  ])
  const used = [...suitesOf].map(([port, suites]) => [
    port,
    [...suites].map((name) => name.replace(/Contract$/, '')).sort(),
  ])
  t.strictSame(Object.fromEntries(listed), Object.fromEntries(used))
})
