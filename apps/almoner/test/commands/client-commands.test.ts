import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { credentialsCheck, makeCurrent } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'

const add = (folder: string, ...args: ReadonlyArray<string>) => inFolder(folder, ['client', 'add', ...args])

t.test('client add prints the client with its secret, which is valid at once (A1, A6)', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const { code, out, err } = await add(
    folder,
    ...['--id', 'app', '--scope', 'user user-donor', '--role', 'user-manager'],
    ...['--email', 'Amina@Example.org', '--name', 'The app', '--json'],
  )
  t.strictSame([code, err], [0, ''])
  const printed = JSON.parse(out)
  t.strictSame(printed, {
    client_id: 'app',
    client_secret: printed.client_secret,
    scope: 'user user-donor',
    roles: ['user-manager'],
    email: 'amina@example.org',
  })
  t.equal(await credentialsCheck(folder, 'app', printed.client_secret), 'app')
  const files = readdirSync(join(folder, 'data')).map((name) => readFileSync(join(folder, 'data', name)))
  t.notOk(
    files.some((bytes) => bytes.includes(printed.client_secret)),
    'A6: the secret is not in the database',
  )
})

t.test(
  'client add: wrong options are exit 2 with one line that names them all, and nothing changes',
  async (t) => {
    const folder = t.testdir()
    const { code, out, err } = await add(
      folder,
      ...['--id', 'a b', '--scope', 'user admin', '--role', 'king', '--email', 'nobody'],
    )
    t.strictSame([code, out], [2, ''])
    t.match(err, /^almoner: --id must .*; --scope "admin" is .*; --role "king" is .*; --email must .*\n$/)
    t.match(await add(folder), {
      code: 2,
      err: 'almoner: --id is required; --scope is required unless --role super-admin is given\n',
    })
    t.strictSame(readdirSync(folder), [])
  },
)

t.test('A2: a super-admin needs no scope; scopes can be given one by one', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const admin = await add(folder, '--id', 'root', '--role', 'super-admin')
  t.match(JSON.parse(admin.out), { scope: '', roles: ['super-admin'], email: '' })
  const both = await add(
    folder,
    '--id',
    'both',
    '--scope',
    'user',
    '--scope',
    'user-donor',
    '--scope',
    'user',
  )
  t.match(JSON.parse(both.out), { scope: 'user user-donor' })
})

t.test('client add: an id cannot be added twice', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  await add(folder, '--id', 'app', '--scope', 'user')
  t.match(await add(folder, '--id', 'app', '--scope', 'user'), {
    code: 1,
    out: '',
    err: 'almoner: there is a client app already\n',
  })
})

t.test(
  'A10: client add registers clients for people, those of apps on phones without a secret',
  async (t) => {
    const folder = t.testdir()
    await makeCurrent(folder)
    const printed = async (...args: ReadonlyArray<string>) => {
      const { code, out, err } = await add(folder, ...args)
      t.strictSame([code, err], [0, ''])
      return JSON.parse(out)
    }
    const page = await printed(
      '--id',
      'page',
      '--scope',
      'user user-donor',
      '--public',
      '--audience',
      'app 1',
    )
    t.match(page, { client_secret: '', for_people: true, public: true, audience: 'app 1' })
    t.equal(await credentialsCheck(folder, 'page', ''), 'InvalidClient')
    const backend = await printed(
      '--id',
      'backend',
      '--scope',
      'user',
      '--role',
      'user-manager',
      '--for-people',
    )
    t.match(backend, { client_secret: /^.{43}$/, for_people: true, public: false, audience: '' })
    t.equal(await credentialsCheck(folder, 'backend', backend.client_secret), 'backend')

    const { out } = await inFolder(folder, ['client', 'list'])
    t.strictSame(
      out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 6)),
      [
        ['ID', 'NAME', 'SCOPE', 'ROLES', 'EMAIL', 'PEOPLE'],
        ['backend', 'backend', 'user', 'user-manager', '-', 'yes'],
        ['page', 'page', 'user user-donor', '-', '-', 'public app 1'],
        [''],
      ],
    )
    const json = JSON.parse((await inFolder(folder, ['client', 'list', '--json'])).out)
    t.match(json, [
      { client_id: 'backend', for_people: true, public: false, audience: '' },
      { client_id: 'page', for_people: true, public: true, audience: 'app 1' },
    ])

    t.match(await inFolder(folder, ['client', 'rotate', 'page']), {
      code: 1,
      out: '',
      err: 'almoner: the client page is public: it has no secret\n',
    })
    const rotated = await inFolder(folder, ['client', 'rotate', 'backend'])
    t.match(JSON.parse(rotated.out), { client_id: 'backend', for_people: true, public: false, audience: '' })
    t.equal(await credentialsCheck(folder, 'backend', backend.client_secret), 'InvalidClient')
  },
)

t.test('A10: client add --public goes with no role and without content-manager', async (t) => {
  const folder = t.testdir()
  const person = ['--id', 'app', '--scope', 'user']
  for (const [args, err] of [
    [[...person, '--public', '--role', 'user-manager'], '--public goes with no --role'],
    [
      ['--id', 'app', '--scope', 'user content-manager', '--public', '--role', 'super-admin'],
      '--public goes with no --role; --public goes without content-manager',
    ],
    [[...person, '--audience', 'app'], '--audience needs --for-people'],
    [[...person, '--for-people', '--audience', ''], '--audience must be 1 to 255 characters'],
    [[...person, '--public', '--audience', 'x'.repeat(256)], '--audience must be 1 to 255 characters'],
  ] as const)
    t.strictSame(await add(folder, ...args), { code: 2, out: '', err: `almoner: ${err}\n` })
  t.strictSame(readdirSync(folder), [])
})

/** What a client that obtains no tokens for people prints (A10). */
const NOT_FOR_PEOPLE = { for_people: false, public: false, audience: '' }

t.test('client list shows every client, and no secret', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const { client_secret } = JSON.parse((await add(folder, '--id', 'b', '--scope', 'user')).out)
  await add(
    folder,
    '--id',
    'a',
    '--scope',
    'content-manager',
    '--email',
    'a@example.org',
    '--name',
    'The desk',
  )
  const table = await inFolder(folder, ['client', 'list'])
  t.equal(
    table.out,
    [
      'ID  NAME      SCOPE            ROLES  EMAIL          PEOPLE  STATE    LAST USED',
      'a   The desk  content-manager  -      a@example.org  -       enabled  -',
      'b   b         user             -      -              -       enabled  -',
      '',
    ].join('\n'),
  )
  const json = await inFolder(folder, ['client', 'list', '--json'])
  t.strictSame(JSON.parse(json.out), [
    {
      client_id: 'a',
      name: 'The desk',
      scope: 'content-manager',
      roles: [],
      email: 'a@example.org',
      disabled: false,
      ...NOT_FOR_PEOPLE,
      lastUsedAt: '',
    },
    {
      client_id: 'b',
      name: 'b',
      scope: 'user',
      roles: [],
      email: '',
      disabled: false,
      ...NOT_FOR_PEOPLE,
      lastUsedAt: '',
    },
  ])
  t.notOk(`${table.out}${json.out}`.includes(client_secret))
})

t.test('A6: client rotate invalidates the old secret at once, or after --keep-old', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const secretOf = ({ out }: { readonly out: string }): string => JSON.parse(out).client_secret
  const first = secretOf(await add(folder, '--id', 'app', '--scope', 'user'))
  const second = secretOf(await inFolder(folder, ['client', 'rotate', 'app', '--keep-old', '24h']))
  t.equal(await credentialsCheck(folder, 'app', first), 'app')
  t.equal(await credentialsCheck(folder, 'app', second), 'app')
  const rotated = await inFolder(folder, ['client', 'rotate', 'app'])
  t.strictSame(Object.keys(JSON.parse(rotated.out)), [
    'client_id',
    'client_secret',
    'scope',
    'roles',
    'email',
  ])
  t.equal(await credentialsCheck(folder, 'app', first), 'InvalidClient')
  t.equal(await credentialsCheck(folder, 'app', second), 'InvalidClient')
  t.equal(await credentialsCheck(folder, 'app', secretOf(rotated)), 'app')
})

t.test('A6: client disable and enable can be repeated', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const { client_secret } = JSON.parse((await add(folder, '--id', 'app', '--scope', 'user')).out)
  for (const _ of [1, 2])
    t.match(await inFolder(folder, ['client', 'disable', 'app']), { code: 0, out: 'app is disabled\n' })
  t.equal(await credentialsCheck(folder, 'app', client_secret), 'InvalidClient')
  const enabled = await inFolder(folder, ['client', 'enable', 'app', '--json'])
  t.match(JSON.parse(enabled.out), { client_id: 'app', disabled: false })
  t.equal(await credentialsCheck(folder, 'app', client_secret), 'app')
})

t.test('an unknown client is exit 1, an impossible id or time exit 2', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  for (const verb of ['rotate', 'disable', 'enable'])
    t.match(await inFolder(folder, ['client', verb, 'nobody']), {
      code: 1,
      err: 'almoner: there is no client nobody\n',
    })
  t.match(await inFolder(folder, ['client', 'disable', 'no/body']), { code: 2, err: /^almoner: ID must / })
  for (const time of ['1', '24', '1w', '366d', '-1h', '1.5h'])
    t.match(await inFolder(folder, ['client', 'rotate', 'app', `--keep-old=${time}`]), {
      code: 2,
      err: /--keep-old must be a time such as /,
    })
})
