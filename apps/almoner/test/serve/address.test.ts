import * as E from 'fp-ts/lib/Either.js'
import { type DestinationStream, pino } from 'pino'
import t from 'tap'
import { addressCheck } from '../../src/commands/doctor/exposure.ts'
import type { Examination } from '../../src/commands/doctor/finding.ts'
import { serviceAddress } from '../../src/composition/service.ts'
import { type Environment, readSettings } from '../../src/config/read.ts'
import { announceListening, type Prepared } from '../../src/serve/prepare.ts'
import type { Terminal } from '../../src/terminal.ts'

// With a wildcard ALMONER_HOST and no ALMONER_BASE_URL, start and doctor warn (operations.md).

/** Settings, and the URL that clients cannot open, if they give out one. */
const CASES: ReadonlyArray<readonly [environment: Environment, url: string | undefined]> = [
  [{}, undefined],
  [{ ALMONER_HOST: '127.0.0.1' }, undefined],
  [{ ALMONER_HOST: '::1' }, undefined],
  [{ ALMONER_HOST: '10.0.0.5' }, undefined],
  [{ ALMONER_HOST: '::ffff:10.0.0.5' }, undefined],
  [{ ALMONER_HOST: 'almoner.example.org' }, undefined],
  [{ ALMONER_HOST: '0.0.0.0' }, 'http://0.0.0.0:4711'],
  [{ ALMONER_HOST: '0' }, 'http://0:4711'],
  [{ ALMONER_HOST: '0.0' }, 'http://0.0:4711'],
  [{ ALMONER_HOST: '::' }, 'http://[::]:4711'],
  [{ ALMONER_HOST: '::0' }, 'http://[::0]:4711'],
  [{ ALMONER_HOST: '0:0:0:0:0:0:0:0' }, 'http://[0:0:0:0:0:0:0:0]:4711'],
  [{ ALMONER_HOST: '::ffff:0.0.0.0' }, 'http://[::ffff:0.0.0.0]:4711'],
  [{ ALMONER_HOST: '::', ALMONER_BASE_URL: 'https://api.example.org' }, undefined],
  [{ ALMONER_HOST: '0.0.0.0', ALMONER_BASE_URL: 'http://10.0.0.5:4711' }, undefined],
  [{ ALMONER_HOST: '0.0.0.0', ALMONER_BASE_URL: 'https://0.0.0.0.example.org' }, undefined],
  [{ ALMONER_BASE_URL: 'http://0.0.0.0:4711/almoner' }, 'http://0.0.0.0:4711/almoner'],
]

const settingsOf = (environment: Environment) => {
  const read = readSettings({ ALMONER_PORT: '4711', ...environment })
  if (E.isLeft(read)) throw new Error(read.left.join('\n'))
  return read.right
}

for (const [environment, url] of CASES) {
  const name = JSON.stringify(environment)

  t.test(`Settings: start ${url === undefined ? 'is silent' : 'warns'}, ${name}`, async (t) => {
    const settings = settingsOf(environment)
    const lines: Array<Record<string, unknown>> = []
    const logger = pino({ level: 'warn' }, {
      write: (line: string) => lines.push(JSON.parse(line)),
      flush: (done?: () => void) => done?.(),
    } as DestinationStream)
    const service = { settings, address: serviceAddress(settings) }
    const running = { port: 4711, metricsUrl: undefined }
    announceListening({ service, banner: undefined } as unknown as Prepared, running, logger, {} as Terminal)
    const warned = lines.filter(({ level }) => level === 40)
    t.strictSame(
      warned.map(({ setting, baseUrl }) => ({ setting, baseUrl })),
      url === undefined ? [] : [{ setting: 'ALMONER_BASE_URL', baseUrl: url }],
    )
    t.equal(lines.at(-1)?.['msg'], 'listening', 'the line that scripts wait for is the last one')
  })

  t.test(`Settings: doctor ${url === undefined ? 'finds nothing' : 'warns'}, ${name}`, async (t) => {
    const settings = settingsOf(environment)
    const service = { address: serviceAddress(settings) }
    const [found, ...others] = await addressCheck.look({ settings, service } as unknown as Examination)
    t.strictSame(others, [])
    t.equal(found?.level, url === undefined ? 'ok' : 'warning')
    t.ok(found?.what.includes(url ?? '://'))
    t.equal(found?.fix.includes('ALMONER_BASE_URL'), url !== undefined)
  })
}

t.test('Settings: the base URL is http://HOST:PORT with the real port, IPv6 in brackets', async (t) => {
  const address = serviceAddress(settingsOf({ ALMONER_PORT: '0', ALMONER_HOST: '::1' }))
  address.listensOn(4711)
  t.equal(address.baseUrl(), 'http://[::1]:4711')
  const fixed = serviceAddress(settingsOf({ ALMONER_BASE_URL: 'https://example.org/' }))
  fixed.listensOn(4711)
  t.equal(fixed.baseUrl(), 'https://example.org')
})
