import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { type PostgresPlace, parsePostgresUrl } from '../src/index.ts'

// operations.md: connection strings as hosts print them are taken where they have a safe meaning, and refused by name where not.

const NO_VARIABLES = {}

const placeOf = (text: string, variables = NO_VARIABLES): PostgresPlace => {
  const place = parsePostgresUrl(text, variables)
  if (E.isLeft(place)) throw new Error(`${text} ${place.left}`)
  return place.right
}

const refusalOf = (text: string, variables = NO_VARIABLES): string => {
  const place = parsePostgresUrl(text, variables)
  return E.isLeft(place) ? place.left : 'taken'
}

const TLS = {
  verify: 'nothing',
  rootCertificate: undefined,
  certificate: undefined,
  key: undefined,
  isDirect: false,
  binding: 'none',
}

const TAKEN: ReadonlyArray<readonly [string, object]> = [
  [
    'postgresql://neondb_owner:npg_x@ep-cool-1.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require',
    { hosts: [{ port: 5432 }], database: 'neondb', encryption: { ...TLS, binding: 'required' } },
  ],
  [
    'postgres://u:p@ep-1.neon.tech/db?options=endpoint%3Dep-1&sslmode=verify-full',
    { options: 'endpoint=ep-1', encryption: { ...TLS, verify: 'name' } },
  ],
  ['postgres://u:p@ec2-1.compute-1.amazonaws.com:5432/d1', { database: 'd1', encryption: undefined }],
  [
    'postgresql://u:p@aws.connect.psdb.cloud:5432/postgres?sslmode=verify-full&sslrootcert=system&sslnegotiation=direct',
    { encryption: { ...TLS, verify: 'name', rootCertificate: 'system', isDirect: true } },
  ],
  ['postgres://u:p@h/d?sslrootcert=system', { encryption: { verify: 'name', rootCertificate: 'system' } }],
  [
    'postgres://doadmin:p@db-do-user-1.b.db.ondigitalocean.com:25060/defaultdb?sslmode=require',
    { hosts: [{ port: 25_060 }], encryption: TLS },
  ],
  [
    'postgres://u%40server:p@server.postgres.database.azure.com:5432/postgres?sslmode=require&connect_timeout=10',
    { user: 'u@server', connectTimeout: 10_000 },
  ],
  ['postgres://u:p@h/d?prepared=true', { prepared: true }],
  ['postgres://u:p@h/d?prepared=false', { prepared: false }],
  [
    'postgres://u:p@localhost/d?host=/cloudsql/project:region:instance',
    { hosts: [{ host: '/cloudsql/project:region:instance', port: 5432 }] },
  ],
  ['postgresql:///d?host=/run/postgresql&user=u', { hosts: [{ host: '/run/postgresql' }], user: 'u' }],
  [
    'postgresql://u@%2Fvar%2Frun%2Fpostgresql:5433/d',
    { hosts: [{ host: '/var/run/postgresql', port: 5433 }] },
  ],
  [
    'postgres://?host=one,two&port=1,2&dbname=d&user=u&password=p%26',
    {
      hosts: [
        { host: 'one', port: 1 },
        { host: 'two', port: 2 },
      ],
      database: 'd',
    },
  ],
  [
    'postgresql://postgres.ref:p@aws-0-eu-central-1.pooler.supabase.com:5432/postgres',
    { user: 'postgres.ref' },
  ],
  [
    'postgresql://u:p@almoner-1.g8z.cockroachlabs.cloud:26257/defaultdb?sslmode=verify-full&options=--cluster%3Dalmoner-1',
    { hosts: [{ port: 26_257 }], options: '--cluster=almoner-1', encryption: { verify: 'name' } },
  ],
  ['postgres://u:p@top2.nearest.of.almoner-db.internal:5432/app?sslmode=disable', { encryption: undefined }],
  ['postgres://u:p@[fdaa:0:1:a7b::3]:5432/app', { hosts: [{ host: 'fdaa:0:1:a7b::3' }] }],
  ['postgres://u:p@h/d?sslmode=require&ssl_min_protocol_version=TLSv1.2', { encryption: TLS }],
  [
    'postgres://u:p@h:5433/d?ssl=true&sslmode=verify-full&sslrootcert=/root.crt',
    { encryption: { verify: 'name' } },
  ],
  ['postgres://h1,h2:6/d?target_session_attrs=primary', { hosts: [{ port: 5432 }, { port: 6 }] }],
  ['postgres://u:a+b@h/d?options=-c%20geqo%3Doff', { options: '-c geqo=off' }],
  [
    'postgres://u:p@h/d?gssencmode=disable&client_encoding=UTF8&keepalives=1&sslmode=',
    { encryption: undefined },
  ],
  [
    'postgres://u:p@h/d?sslmode=verify-ca&sslrootcert=/a.pem&sslcert=/b.pem&sslkey=/c.pem',
    { encryption: { verify: 'chain', rootCertificate: '/a.pem', certificate: '/b.pem', key: '/c.pem' } },
  ],
]

t.test('Settings: strings of hosts are taken where their meaning is safe', async (t) => {
  for (const [text, place] of TAKEN) t.match(placeOf(text), place, text)
  t.equal(placeOf('postgres://u:a+b@h/d').password?.(), 'a+b')
  t.equal(placeOf('postgres://?host=h&dbname=d&user=u&password=p%26%3D').password?.(), 'p&=')
})

const REFUSED: ReadonlyArray<readonly [string, RegExp]> = [
  ['postgres://u:p@h/d?sslmode=prefer', /sslmode is disable, require, .*; prefer would go on in the clear/],
  ['postgres://u:p@h/d?sslmode=allow', /sslmode is .*; allow would go on in the clear/],
  ['postgres://u:p@h/d?sslmode=no-verify', /sslmode is disable, require, verify-ca or verify-full$/],
  ['postgres://u:p@h/d?sslmode=Require', /sslmode is/],
  ['postgres://u:p@h/d?sslrootcert=/a.pem', /with sslmode=verify-full, because sslrootcert is given/],
  ['postgres://u:p@h/d?sslcert=/b.pem&sslkey=/c.pem', /with sslmode=verify-full, because sslcert is given/],
  ['postgres://u:p@h/d?ssl=true&sslmode=disable', /without the parameter ssl: write sslmode=verify-full/],
  ['postgres://u:p@h/d?ssl=false&sslmode=require', /without the parameter ssl: write sslmode=verify-full/],
  ...['SSLMODE', 'sslMode', 'useSSL', 'tls', 'require_ssl', 'ssl_enabled', 'sslaccept'].map(
    (name): readonly [string, RegExp] => [
      `postgres://u:p@h/d?${name}=true`,
      new RegExp(`the parameter ${name}: write sslmode=verify-full`),
    ],
  ),
  [
    'postgres://u:p@h/d?sslmode=verify-full&sslrootcert=$HOME/.postgresql/root.crt',
    /sslrootcert is a whole path/,
  ],
  ['postgres://u:p@h/d?sslmode=verify-ca&sslrootcert=%2Fa.pem&sslkey=~/b.key', /sslkey is a whole path/],
  ['postgres://u:p@h/d?sslmode=require&sslcert=$CERTS/b.pem', /sslcert is a whole path/],
  ['postgres://u:p@ h/d', /%40 for @/],
  ['postgres://u:p@h;other/d', /%40 for @/],
  ['postgres://u:p@h/d?requiressl=1', /without the parameter requiressl: write sslmode=/],
  ['postgres://u:p@h/d?require_auth=scram-sha-256', /without the parameter require_auth: write sslmode=/],
  ['postgres://u:p@h/d?ssl_min_protocol_version=TLSv1.3', /ssl_min_protocol_version is TLSv1.2/],
  [
    'postgres://u:p@h/d?sslmode=require&sslrootcert=system',
    /sslmode is verify-full, because sslrootcert is system/,
  ],
  ['postgres://u:p@h/d?channel_binding=require', /sslmode is not disable/],
  ['postgres://u:p@h/d?sslmode=disable&sslnegotiation=direct', /sslmode is not disable/],
  [
    'postgres://u:p@h/d?sslmode=require&channel_binding=maybe',
    /channel_binding is disable, prefer or require/,
  ],
  ['postgres://u:p@h/d?ssl=true', /without the parameter ssl: write sslmode=verify-full/],
  [
    'postgres://u:p@h/d?pgbouncer=true',
    /without the parameter pgbouncer: leave it out, and let a pooler keep/,
  ],
  ['postgres://u:p@h/d?schema=app', /without the parameter schema: .*ALTER ROLE/],
  [
    'postgres://u:p@h/d?connection_limit=1',
    /without the parameter connection_limit: set ALMONER_DATABASE_POOL/,
  ],
  ['postgres://u:p@h/d?application_name=x', /without the parameter application_name: leave it out/],
  ['postgres://u:p@h/d?something=x', /without the parameter something: leave it out/],
  ['postgres://u:p@h/d?connect_timeout=0', /connect_timeout is a number of seconds from 1 to 60/],
  ['postgres://u:p@h/d?target_session_attrs=any', /target_session_attrs is read-write or primary/],
  ['postgres://u:p@h/d?gssencmode=require', /gssencmode is disable or prefer/],
  ['postgres://u:p@h/d?client_encoding=LATIN1', /client_encoding is UTF8/],
  ['postgres://u:p@h/d?sslmode=disable&sslmode=require', /with one sslmode/],
  ['postgres://u:p@h', /with the name of a database/],
  ['postgres://u:p@h/', /with the name of a database/],
  ['postgres:///d', /with a host, or with the folder of a socket as \?host=/],
  ['postgres://h/d?host=one,two&port=1,x', /%40 for @/],
  ['postgres://h/d?host=one&port=70000', /%40 for @/],
  ['postgres://u:p@h:99999/d', /%40 for @/],
  ['postgres://u:100%@h/d', /%40 for @/],
]

t.test('Settings: what has no safe meaning is refused by name, with what to write instead', async (t) => {
  for (const [text, why] of REFUSED) {
    t.match(refusalOf(text), why, text)
    t.match(refusalOf(text), /^must be /, 'completes a sentence')
  }
})

t.test(
  'Settings: a password is read back as it was encoded, and never misread where it was not',
  async () => {
    const secret = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 20 })
      .filter((text) => !/\p{Cs}/u.test(text))
    fc.assert(
      fc.property(secret, secret, (user, password) => {
        const encoded = [user, password].map(encodeURIComponent)
        const place = placeOf(`postgres://${encoded.join(':')}@h/d`)
        return place.user === user && place.password?.() === password
      }),
    )
    const plain = fc.stringMatching(/^[a-z0-9]{5,9}$/)
    const raw = fc.tuple(plain, fc.constantFrom('@', '/', '?', '#', '@/', '?x=', '#@', '/?'), plain)
    fc.assert(
      fc.property(raw, ([before, special, after]) => {
        const refusal = refusalOf(`postgres://u:${before}${special}${after}@h/d`)
        return refusal.includes('%40 for @') && !refusal.includes(before) && !refusal.includes(after)
      }),
    )
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        const refusal = refusalOf(`postgres://h/d?dbname=x&password=${before}&${after}=`)
        return refusal !== 'taken' && !refusal.includes(after)
      }),
    )
  },
)

const MODES: Readonly<Record<string, string | undefined>> = {
  disable: undefined,
  require: 'nothing',
  'verify-ca': 'chain',
  'verify-full': 'name',
}

t.test('Settings: PGSSLMODE and PGSSLROOTCERT count where the URL says nothing', async (t) => {
  for (const [PGSSLMODE, verify] of Object.entries(MODES)) {
    t.equal(placeOf('postgres://h/d', { PGSSLMODE }).encryption?.verify, verify, PGSSLMODE)
    t.equal(placeOf('postgres://h/d?sslmode=verify-full', { PGSSLMODE }).encryption?.verify, 'name')
    t.equal(placeOf('postgres://h/d?sslmode=disable', { PGSSLMODE }).encryption, undefined)
    t.equal(placeOf('postgres://%2Frun/d', { PGSSLMODE }).encryption, undefined, 'a socket needs none')
  }
  t.match(placeOf('postgres://h/d?sslmode=require', { PGSSLROOTCERT: '/a.pem' }).encryption, {
    verify: 'chain',
    rootCertificate: '/a.pem',
  })
  t.match(placeOf('postgres://h/d?sslmode=verify-ca&sslrootcert=/b.pem', { PGSSLROOTCERT: '/a.pem' }), {
    encryption: { rootCertificate: '/b.pem' },
  })
  t.match(placeOf('postgres://h/d', { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'system' }), {
    encryption: { verify: 'name', rootCertificate: 'system' },
  })
  for (const PGSSLMODE of ['allow', 'prefer', 'on', 'verify-fully'])
    t.match(
      refusalOf('postgres://h/d', { PGSSLMODE }),
      /^must be an address whose PGSSLMODE is disable, require/,
    )
  t.match(refusalOf('postgres://h/d', { PGSSLMODE: 'prefer' }), /prefer would go on in the clear/)
  t.match(refusalOf('postgres://h/d', { PGSSLROOTCERT: '/a.pem' }), /because PGSSLROOTCERT is given/)
  t.match(placeOf('postgres://h/d', { PGSSLMODE: '' }), { encryption: undefined })
})

t.test('Settings: no variable of libpq that asks for protection is passed over', (t) => {
  const [url, clear] = ['postgres://h/d', 'postgres://h/d?sslmode=disable']
  for (const PGREQUIRESSL of ['1', '1 ']) {
    t.match(placeOf(url, { PGREQUIRESSL }), { encryption: { verify: 'nothing' } })
    t.match(placeOf(url, { PGREQUIRESSL, PGSSLMODE: 'verify-full' }), { encryption: { verify: 'name' } })
    t.match(placeOf(clear, { PGREQUIRESSL }), { encryption: undefined })
  }
  for (const PGREQUIRESSL of ['', '0', 'yes'])
    t.match(placeOf(url, { PGREQUIRESSL }), { encryption: undefined })
  for (const name of ['PGSSLCERT', 'PGSSLKEY', 'PGSSLROOTCERT']) {
    t.match(refusalOf(url, { [name]: '/a.pem' }), `with sslmode=verify-full, because ${name} is given`)
    t.match(placeOf(clear, { [name]: '/a.pem' }), { encryption: undefined })
    t.match(refusalOf(`${url}?sslmode=require`, { [name]: '~/a.pem' }), `${name} is a whole path`)
  }
  const asking = {
    PGREQUIREAUTH: ['scram-sha-256', '!password', 'none'],
    PGREQUIREPEER: ['postgres'],
    PGSSLCRL: ['/etc/crl.pem'],
    PGSSLCRLDIR: ['/etc/crl'],
    PGGSSENCMODE: ['require'],
    PGSSLMINPROTOCOLVERSION: ['TLSv1.3', 'TLSv2'],
  }
  for (const [name, values] of Object.entries(asking))
    for (const value of values)
      for (const address of [url, clear, 'postgres://h/d?sslmode=verify-full', 'postgres://%2Frun/d']) {
        const refusal = refusalOf(address, { [name]: value })
        t.equal(refusal, `must be an address that is reached without ${name}: unset it`)
      }
  for (const harmless of [
    { PGGSSENCMODE: 'prefer' },
    { PGSSLMINPROTOCOLVERSION: 'TLSv1.2' },
    { PGSSLCRL: '' },
  ])
    t.match(placeOf(url, harmless), { encryption: undefined })
  t.end()
})
