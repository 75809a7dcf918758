import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { ALL_SETTINGS } from '../../src/config/definitions.ts'
import { type Environment, namesOfServices, readSettings } from '../../src/config/read.ts'
import { logLines, serve } from '../support/almoner.ts'

// What hosts put into the environment. Kubernetes sets variables in every container for every Service of the namespace. Those of a Service that is called as the
// program are no settings (operations.md).

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)
const serviceName = fc.oneof(
  fc.constant('almoner'),
  label.map((rest) => `almoner-${rest}`),
)
const port = fc.record({
  name: fc.option(label),
  number: fc.integer({ min: 1, max: 65_535 }),
  protocol: fc.constantFrom('tcp', 'udp', 'sctp'),
})
const clusterIp = fc.oneof(fc.ipV4(), fc.ipV6())

/** A Service with its ports, as the kubelet makes variables of it. */
const variablesOf = (
  name: string,
  ip: string,
  ports: ReadonlyArray<{
    readonly name: string | null
    readonly number: number
    readonly protocol: string
  }>,
): Environment => {
  const upper = (text: string) => text.toUpperCase().replaceAll('-', '_')
  const base = upper(name)
  const host = ip.includes(':') ? `[${ip}]` : ip
  const url = ({ number, protocol }: { number: number; protocol: string }) =>
    `${protocol}://${host}:${number}`
  const [first] = ports
  return {
    [`${base}_SERVICE_HOST`]: ip,
    ...(first && { [`${base}_SERVICE_PORT`]: String(first.number), [`${base}_PORT`]: url(first) }),
    ...Object.fromEntries(
      ports.flatMap((one) => {
        const each = `${base}_PORT_${one.number}_${upper(one.protocol)}`
        return [
          [each, url(one)],
          [`${each}_PROTO`, one.protocol],
          [`${each}_PORT`, String(one.number)],
          [`${each}_ADDR`, ip],
          ...(one.name === null ? [] : [[`${base}_SERVICE_PORT_${upper(one.name)}`, String(one.number)]]),
        ]
      }),
    ),
  }
}

t.test(
  'Settings: the variables of any Service are passed over, and the settings beside them count',
  async () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(serviceName, clusterIp, fc.array(port, { minLength: 1, maxLength: 3 })), {
          minLength: 1,
          maxLength: 3,
        }),
        (services) => {
          const variables = Object.assign({}, ...services.map((service) => variablesOf(...service)))
          const read = readSettings({ ...variables, ALMONER_WORKERS: '2' })
          const named = new Set(namesOfServices({ ...variables, ALMONER_WORKERS: '2' }))
          return (
            E.isRight(read) &&
            read.right.workers === 2 &&
            read.right.port === 3000 &&
            Object.keys(variables).every((name) => named.delete(name)) &&
            named.size === 0
          )
        },
      ),
    )
  },
)

/** A linked container, as Docker makes variables of it: its ports, ranges of them, and its own variables. */
const linkOf = (
  alias: string,
  ports: ReadonlyArray<{ readonly number: number; readonly protocol: string }>,
  own: ReadonlyArray<string>,
): Environment => {
  const base = alias.toUpperCase().replaceAll('-', '_')
  const [first] = ports
  return {
    [`${base}_NAME`]: `/web/${alias}`,
    ...(first && { [`${base}_PORT`]: `${first.protocol}://172.17.0.5:${first.number}` }),
    ...Object.fromEntries(
      ports.flatMap(({ number, protocol }) => {
        const each = `${base}_PORT_${number}_${protocol.toUpperCase()}`
        return [
          ...['', '_START', '_END'].map((end) => [`${each}${end}`, `${protocol}://172.17.0.5:${number}`]),
          ...['PORT', 'PORT_START', 'PORT_END'].map((end) => [`${each}_${end}`, String(number)]),
          [`${each}_PROTO`, protocol],
          [`${each}_ADDR`, '172.17.0.5'],
        ]
      }),
    ),
    ...Object.fromEntries(own.map((name) => [`${base}_ENV_${name}`, 'x'])),
  }
}

t.test(
  'Settings: the variables of any link of Docker are passed over, and nothing without its name',
  async () => {
    const own = fc.oneof(
      fc.stringMatching(/^[A-Z][A-Z0-9_]{0,9}$/),
      fc.constantFrom('ENV_X', 'DB_NAME', 'A_ENV_B'),
    )
    fc.assert(
      fc.property(
        serviceName,
        fc.array(port, { maxLength: 3 }),
        fc.uniqueArray(own, { minLength: 1, maxLength: 3 }),
        (alias, ports, names) => {
          const variables = linkOf(alias, ports, names)
          const unnamed = Object.entries(variables).filter(([, value]) => !value?.startsWith('/web/'))
          const isRefused = E.isLeft(readSettings(Object.fromEntries(unnamed)))
          return E.isRight(readSettings(variables)) && isRefused
        },
      ),
    )
  },
)

t.test('Settings: no setting has a name that is passed over, and a misspelt one is refused', async (t) => {
  t.strictSame(namesOfServices(Object.fromEntries(ALL_SETTINGS.map(({ name }) => [name, '1']))), [])
  const misspelt: Environment = {
    ALMONER_SERVICE_HOSTS: '10.0.0.1',
    ALMONER_SERVICES_HOST: '10.0.0.1',
    ALMONER_DB_PORT: '5432',
    ALMONER_DB_PORTS: 'tcp://10.0.0.1:5432',
    ALMONER_PORT_HTTP_TCP: 'tcp://10.0.0.1:80',
    ALMONER_PORT_80_TCP_HOST: '10.0.0.1',
    ALMONER_PORT_80_HTTP: '80',
    ALMONER_NAME: 'charity',
    ALMONER_DB_NAME: '/var/lib/almoner/almoner.db',
    ALMONER_ENV_PORT: '80',
  }
  for (const [name, value] of Object.entries(misspelt)) {
    const read = readSettings({ [name]: value })
    t.ok(E.isLeft(read) && read.left.length === 1 && read.left[0].startsWith(`${name} is no setting`), name)
  }
  for (const value of ['tcp:10.0.0.1:3000', '//10.0.0.1:3000', '10.0.0.1:3000'])
    t.match(readSettings({ ALMONER_PORT: value }), { left: [/^ALMONER_PORT must be a whole number/] }, value)
})

t.test(
  'Settings: PGSSLMODE of the environment counts for the database, and is refused by name',
  async (t) => {
    const read = (PGSSLMODE: string) =>
      readSettings({ ALMONER_DATABASE: 'postgres://u:p@h/d', PGSSLMODE, PGSSLROOTCERT: '/a.pem' })
    t.match(read('verify-full'), {
      right: { database: { place: { encryption: { verify: 'name', rootCertificate: '/a.pem' } } } },
    })
    t.match(read('prefer'), {
      left: [/^ALMONER_DATABASE must be an address whose PGSSLMODE is disable, .*prefer/],
    })
    const file = readSettings({ PGSSLMODE: 'prefer' })
    t.ok(E.isRight(file), 'a file is not concerned')
  },
)

t.test('Settings: serve starts beside a Service, and names its variables in one line', async (t) => {
  const of = variablesOf('almoner-db', '10.96.0.12', [{ name: 'sql', number: 5432, protocol: 'tcp' }])
  for (const workers of ['1', '2']) {
    const server = await serve(t.testdir(), [], { ...of, ALMONER_WORKERS: workers })
    const { err } = await server.stop()
    const lines = logLines(err).filter(({ msg }) => String(msg).includes('Kubernetes'))
    t.strictSame(
      lines.map(({ names }) => new Set(names as Array<string>)),
      [new Set(Object.keys(of))],
      workers,
    )
  }
})

/** Texts that a shell, or another program, reads as something other than a part of a path. */
const READ_ELSEWHERE: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ['~/a', '~me/a', '$HOME/a', '/a/$X', '$(pwd)/a', '`pwd`/a', '%HOME%/a', '"/a"', "'/a'", ' /a'].map(
      (text) => [text, /must be a whole path, without quotes: only a shell/],
    ),
  ),
  ...Object.fromEntries(
    ['./a?mode=ro', '/a?x=1&cache=shared', 'file:/a', 'file::memory:'].map((text) => [
      text,
      /must be a path alone, without file: or \?parameters/,
    ]),
  ),
}

t.test('Settings: a path that another program would read otherwise makes no file of that name', async (t) => {
  const settings = { ALMONER_DATABASE: 'sqlite:', ALMONER_MEDIA: 'file:' }
  for (const [name, prefix] of Object.entries(settings)) {
    for (const [text, why] of Object.entries(READ_ELSEWHERE))
      t.match(readSettings({ [name]: prefix + text }), { left: [why] }, `${name}=${prefix}${text}`)
    for (const path of ['./a~b', '/a b/c', '/a%20b', "/l'été/a", '/a?', '/50%/a', '/a$/b', '/a=b'])
      t.ok(E.isRight(readSettings({ [name]: prefix + path })), path)
  }
  t.match(readSettings({ ALMONER_DATABASE: '"postgres://u:p@h/d"' }), {
    left: [/must be sqlite: .*or postgres:/],
  })
})
