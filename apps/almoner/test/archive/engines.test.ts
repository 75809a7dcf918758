import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshDatabase } from '@almoner/postgres-server'
import t from 'tap'
import { startS3Store } from '../../../../packages/adapters-media/test/support/s3-store.ts'
import { furnish, rewrite, textsIn } from '../support/archive.ts'
import { addClient } from '../support/client.ts'
import { inProcess } from '../support/in-process.ts'
import { command } from '../support/portfolio.ts'

const bucket = await startS3Store()
t.teardown(() => bucket.stop())

t.test(
  'moving from SQLite and a folder to PostgreSQL and a bucket and back gives the same archive each time',
  async (t) => {
    const folder = t.testdir({ back: {} })
    await furnish(folder)
    // Text is ordered by its bytes, not by a collation.
    for (const id of ['Zebra', 'apple', 'a-b', 'a.b', 'a_b', '9']) await addClient(folder, id, 'user')
    // Clients for people, with a secret and without (A10).
    const forPeople = ['client', 'add', '--scope', 'user', '--audience', 'app', '--id']
    for (const args of [
      ['page', '--public'],
      ['backend', '--for-people'],
    ])
      t.match(await command(folder, ...forPeople, ...args), { code: 0 })
    const { url, drop } = await freshDatabase(async () => {})
    const media = `s3://${bucket.newBucket()}/media?endpoint=${bucket.endpoint}&region=eu-west-3`
    const onServer = (...args: ReadonlyArray<string>) =>
      inProcess(args, { ALMONER_DATABASE: url, ALMONER_MEDIA: media })
    const [first, second, third] = ['1.tar', '2.tar', '3.tar'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    t.match(await command(folder, 'export', first), { code: 0, err: '' })
    t.match(await onServer('import', first, '--dry-run'), { code: 0, err: '' })
    t.match(await onServer('import', first), { code: 0, err: '' })
    t.match(await onServer('import', first), {
      code: 1,
      err: /the service is not empty: it holds 3 of media/,
    })
    t.match(await onServer('export', second), { code: 0, err: '' })
    t.ok(readFileSync(first).equals(readFileSync(second)), 'the same bytes')
    t.match(await command(join(folder, 'back'), 'import', second), { code: 0, err: '' })
    t.match(await command(join(folder, 'back'), 'export', third), { code: 0, err: '' })
    t.ok(readFileSync(first).equals(readFileSync(third)), 'and again the same')
    t.match([...(await textsIn(first)).keys()].length, 35)
    const list = JSON.parse((await command(join(folder, 'back'), 'client', 'list', '--json')).out)
    t.match(
      list.filter(({ for_people }: { readonly for_people: boolean }) => for_people),
      [
        { client_id: 'backend', public: false, audience: 'app' },
        { client_id: 'page', public: true, audience: 'app' },
      ],
    )
    const attached = await onServer('user', 'set', 'new@example.org', '--lang', 'en')
    t.equal(attached.code, 0)
    for (const name of ['backup', 'restore'])
      t.match(await onServer(name, third), { code: 1, err: /use pg_dump/ })
    await drop()
  },
)

t.test(
  'on PostgreSQL bad rows are named and nothing is imported, and sequences continue after the imported ids',
  async (t) => {
    const folder = t.testdir()
    await furnish(folder)
    const { url, drop, cluster, name } = await freshDatabase(async () => {})
    const onServer = (...args: ReadonlyArray<string>) =>
      inProcess(args, { ALMONER_DATABASE: url, ALMONER_MEDIA: `file:${join(folder, 'server-media')}` })
    const file = join(folder, 'all.tar')
    await command(folder, 'export', file)
    const dangling = await rewrite(file, `${file}.dangling`, (name, bytes) =>
      name === 'rows/person-000001.ndjson'
        ? bytes.toString().replace('reader-00002', 'reader-00001b')
        : bytes,
    )
    t.match(await onServer('import', dangling), {
      code: 1,
      err: `almoner: ${dangling}: rows/device-000001.ndjson:3: email, lang, subscribed must be of a row of person\n`,
    })
    t.match(await onServer('import', file), { code: 0, err: '' }, 'it is still empty')
    const next = (table: string) =>
      cluster.ask(`select nextval(pg_get_serial_sequence('${table}', 'id'))::int as next`, name)
    t.strictSame(await next('device'), [{ next: 6 }])
    t.strictSame(await next('delivery'), [{ next: 2 }])
    t.strictSame(await next('dead_device'), [{ next: 1 }])
    t.strictSame(await next('user_number'), [{ next: 6 }])
    t.strictSame(await next('audit_record'), [{ next: 12 }], 'the record of the import has the number before')
    await drop()
  },
)

t.test(
  "an import is checked against the service's own tables, not those of a host with the same names",
  async (t) => {
    const folder = t.testdir()
    await furnish(folder)
    const archive = join(folder, 'all.tar')
    t.match(await command(folder, 'export', archive), { code: 0 })
    const { cluster, name, url } = await freshDatabase(async () => {})
    // Both sort behind the schema of the service, and the second is a copy that a person has made.
    await cluster.ask(
      'create schema zoo; create table zoo.client (animal integer); create table zoo.label (cage text)',
      name,
    )
    const onServer = (...args: ReadonlyArray<string>) =>
      inProcess(args, { ALMONER_DATABASE: url, ALMONER_MEDIA: `file:${folder}/new` })
    t.match(await onServer('import', archive), { code: 0, err: '' })
  },
)
