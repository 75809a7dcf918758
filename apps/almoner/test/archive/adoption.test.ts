import { type Database, MIGRATIONS, makeStore, TRANSFER_TABLES } from '@almoner/adapters-kysely'
import type { LabelId } from '@almoner/domain/values'
import { collect, WHOLE_COLLECTION } from '@almoner/domain/values'
import { done, sampleDevice } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import {
  COMMITS,
  type Content,
  contentOf,
  EMPTY_SERVICES,
  type EmptyService,
  type Engine,
  type Row,
  schemaOf,
  unpackFixture,
} from '../support/unreleased.ts'

// ADR 53: databases and archives of two unreleased states come up in one step, with everything in them.

const ENGINES = Object.keys(EMPTY_SERVICES) as ReadonlyArray<Engine>

/** Works on the database of a service beside it. */
const onDatabase = async <A>(service: EmptyService, work: (database: Database) => Promise<A>): Promise<A> => {
  const database = await service.open()
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Values that 3eeb9f0d has in several forms, by the other form: addresses (F1) and identifiers (H5). */
const FORMS: ReadonlyMap<unknown, string> = new Map([
  ['max@xn--mnchen-3ya.example', 'max@münchen.example'],
  ['zoe@xn--bcher-kva.example', 'zoe@bücher.example'],
  ...['café', 'santé', 'éole'].map((id) => [id.normalize('NFD'), id] as const),
])

/** A change of rows that is more than the form of a value: each row by some of its columns. */
interface Change {
  readonly shown: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
  readonly gained: ReadonlyArray<string>
}

/** The rows of 3eeb9f0d that are merged, by table. Everything else stays. */
const MERGED: Readonly<Record<string, Change>> = {
  // K1: a person has one number in the history.
  audit_record: { shown: ['id', 'subject_id'], lost: ['12 4', '47 10'], gained: ['12 3', '47 9'] },
  user_number: {
    shown: ['id', 'email'],
    lost: ['10 zoe@bücher.example', '4 max@münchen.example'],
    gained: [],
  },
  // F4: of the texts of one destination the one attached last stays. F1: all devices of a user have one preference.
  device: {
    shown: ['id', 'email', 'lang'],
    lost: [
      ...['2 bob@example.org en', '3 carl@example.org en', '5 bob@example.org en'],
      ...['7 zoe@bücher.example fr', '8 zoe@bücher.example en', '9 web@example.org en'],
    ],
    gained: ['7 zoe@bücher.example en', '8 zoe@bücher.example en'],
  },
  person: { shown: ['email', 'lang'], lost: ['zoe@bücher.example fr'], gained: [] },
  // G4: merged devices stay recipients of the running delivery.
  recipient_snapshot: {
    shown: ['device_id', 'email'],
    lost: [],
    gained: ['2 bob@example.org', '3 carl@example.org', '5 bob@example.org', '8 zoe@bücher.example'],
  },
  // G15: devices of Web Push wait for their origin.
  retry: {
    shown: ['device_id', 'held_for'],
    lost: ['10 webpush', '11 webpush', '9 webpush'],
    gained: ['10 ', '11 ', '9 '],
  },
  // M4: of two managers who become one the latest stays, and sessions and links end.
  manager: { shown: ['name'], lost: ['Max U'], gained: [] },
  manager_password: { shown: ['hash'], lost: ['older'], gained: [] },
  manager_session: {
    shown: ['email'],
    lost: ['max@münchen.example', 'max@münchen.example'],
    gained: [],
  },
  one_time_secret: {
    shown: ['email'],
    lost: ['max@münchen.example', 'max@münchen.example'],
    gained: [],
  },
  recovery_code: { shown: ['digest'], lost: ['d'.padStart(64, '0')], gained: [] },
  working_copy: { shown: ['key'], lost: ['copy-3'], gained: [] },
}

/** Columns that both states lack. */
const NEW: Readonly<Record<string, Readonly<Record<string, Row[string]>>>> = {
  library_item: { publish_at: null, archive_at: null, cover_alt: null, notification_alt: null },
  feed_item: { publish_at: null, archive_at: null, image_alt: null, reason: null },
  media: { width: null, height: null, released_at: null },
  notification: { revision: 1, label_id: null },
  delivery: { label_id: null },
  // F7: people from before are known since the epoch of the upgrade, 3 in both.
  epoch: { inbox_epoch: 3 },
  person: { topics: '[]', epoch: 0 },
  device: { follows_all: 1 },
  translation: { en_base: null, fr_base: null },
  client: { for_people: 0, public: 0, audience: null },
  access_token: { email: null },
  idempotency_key: { person: '' },
}

/** Rows without the column that says what their records do (C18), in an order that does not depend on an update. */
const inOrder = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows
    .map(({ was_live: _, ...row }) => ({ row, text: JSON.stringify(Object.entries(row).sort()) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ row }) => row)

const withNewColumns = (content: Content): Content =>
  new Map(
    [...content].map(([table, rows]) => [table, inOrder(rows.map((row) => ({ ...row, ...NEW[table] })))]),
  )

/** Content without the empty tables that migrations have added. */
const withoutNew = (content: Content, before: Content): Content =>
  new Map(
    [...content]
      .filter(([table, rows]) => before.has(table) || rows.length > 0)
      .map(([table, rows]) => [table, inOrder(rows)]),
  )

/** Columns that 3eeb9f0d lacks. */
const ADDED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...NEW,
  access_token: { life: null, email: null },
  client_secret: { life: null },
  delivery: { shortened: '', counted_from: null, label_id: null },
  one_time_secret: { life: null },
  provider: {
    ...{ unanswered: 0, refusals: 0, backoffs: 0, probes: 0, probe_at: null, probe_delivery: null },
    ...{ probe_device: null, accepted_at: null, accepted_with: null, planned_at: null },
    override_since: null,
  },
  retry: { refusals: 0, planned_at: null },
}

/** Rows of a table in the form of today, without the digests of devices, which are of their destination now. */
const presentRows = (table: string, rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries({ ...ADDED[table], ...row })
        .filter(([column]) => column !== 'token_digest' && column !== 'was_live')
        .map(([column, value]) => [column, FORMS.get(value) ?? value])
        .sort(),
    ),
  )

/** Returns the rows of one list that another one lacks, by some of their columns. */
const without = (some: ReadonlyArray<Row>, others: ReadonlyArray<Row>, shown: ReadonlyArray<string>) => {
  const known = new Set(others.map((row) => JSON.stringify(row)))
  return some
    .filter((row) => !known.has(JSON.stringify(row)))
    .map((row) => shown.map((column) => row[column] ?? '').join(' '))
    .sort()
}

/** Compares all rows of 3eeb9f0d before and after its adoption. */
const seeMerged = (t: Test, before: Content, after: Content) => {
  for (const [table, rows] of after) {
    const { shown = [], lost = [], gained = [] } = MERGED[table] ?? {}
    const [old, present] = [presentRows(table, before.get(table) ?? []), presentRows(table, rows)]
    const columns = shown.length > 0 ? shown : Object.keys(old[0] ?? {})
    t.strictSame(without(old, present, columns), lost, `${table}: lost`)
    t.strictSame(without(present, old, columns), gained, `${table}: gained`)
    t.equal(present.length, old.length - lost.length + gained.length, `${table}: rows`)
  }
}

const RECORD = 'schema_migrations'

/** Tables that migrations fill from others, and with a random name, or that every transaction does. */
const FILLED = ['content_change', 'change_epoch', 'change_signal']

/** The content of a database beside the record of its migrations. */
const contentIn = async (service: EmptyService) => {
  const content = await onDatabase(service, contentOf)
  return {
    record: content.get(RECORD) ?? [],
    content: new Map([...content].filter(([table]) => table !== RECORD && !FILLED.includes(table))),
  }
}

const HEX = 'a1b2'.repeat(16)

/** Devices are found by any text of their destination (F4), and items by their labels (J2). */
const seeUse = async (t: Test, database: Database) => {
  const store = makeStore(database)
  const count = async () => (await contentOf(database)).get('device')?.length
  const before = await count()
  for (const token of [HEX, `apns:${HEX.toUpperCase()}`])
    await done(store.devices.attach(sampleDevice(1, { token: token as never, kind: 'apns' })))
  t.equal(await count(), before, 'F4')
  const none = { status: O.none, isDonorRestricted: O.none, isScheduled: O.none, from: O.none, until: O.none }
  const filters = { words: [], ...none }
  const query = {
    visibility: { kind: 'everything' },
    lang: O.none,
    filters: { ...filters, labelId: O.some('café' as LabelId) },
  } as const
  t.equal((await collect(await done(store.libraryItems.list(query, WHOLE_COLLECTION)))).length, 1, 'J2')
}

for (const engine of ENGINES)
  for (const commit of COMMITS)
    t.test(`${engine}: the database of ${commit} comes up in one step, as new ones are`, async (t) => {
      const folder = t.testdir()
      const [service, fresh] = [await EMPTY_SERVICES[engine](folder), await EMPTY_SERVICES[engine](folder)]
      await service.load(commit)
      const before = await contentIn(service)
      t.match(await service.command('client', 'list'), { code: 1, err: /run almoner migrate/ })
      const lines = (word: string) => MIGRATIONS.map(({ name }) => `${word} ${name}\n`).join('')
      t.strictSame((await service.command('migrate', '--plan')).out, lines('pending'))
      t.strictSame(await contentIn(service), before, 'planning changes nothing')
      t.strictSame(await service.command('migrate'), { code: 0, out: lines('applied'), err: '' })
      t.strictSame((await service.command('migrate')).out, 'the schema is up to date\n')
      const after = await contentIn(service)
      const moments = before.record.map((row) => Number(row['applied_at']))
      const record = { name: '0001-initial', applied_at: Math.min(...moments) }
      t.match(after.record[0], record, 'D6: the image storage knows the database by its first migration')
      t.equal(after.record.length, MIGRATIONS.length)
      if (commit === '3eeb9f0d') seeMerged(t, before.content, after.content)
      else t.strictSame(withoutNew(after.content, before.content), withNewColumns(before.content))
      await fresh.command('migrate')
      const schema = await onDatabase(fresh, schemaOf)
      t.ok(schema.length > 100)
      t.strictSame(await onDatabase(service, schemaOf), schema, 'the schema of a new database')
      await onDatabase(service, (database) => seeUse(t, database))
      const responses = async () => (await contentIn(service)).content.get('idempotency_key') ?? []
      const withToken = async () =>
        (await responses()).filter(({ body }) => /(?:a1b2){16}/i.test(String(body)))
      t.ok((await withToken()).length > 0)
      t.match(await service.command('user', 'erase', String(sampleDevice(1).email)), { code: 0 })
      t.strictSame(await withToken(), [], 'L1: responses go with the device, also those in another text')
    })

/** The rows that an export has, without the record of the import. */
const transferred = (content: Content) =>
  Object.fromEntries(
    TRANSFER_TABLES.map(({ name }) => {
      const rows = (content.get(name) ?? []).filter((row) => row['action'] !== 'import-archive')
      // Claims are not moved.
      return [name, rows.map((row) => JSON.stringify({ ...row, lease_until: null })).sort()]
    }),
  )

for (const commit of COMMITS)
  t.test(`I4: the export of ${commit} gives both engines what its database has`, async (t) => {
    const folder = t.testdir()
    const adopted = await EMPTY_SERVICES.SQLite(folder)
    await adopted.load(commit)
    await adopted.command('migrate')
    const expected = transferred((await contentIn(adopted)).content)
    const file = unpackFixture(commit, 'export', folder)
    for (const engine of ENGINES) {
      const service = await EMPTY_SERVICES[engine](folder)
      t.match(await service.command('import', file), {
        code: 0,
        out: / rows and 10 images imported\n$/,
        err: '',
      })
      t.strictSame(transferred((await contentIn(service)).content), expected, engine)
      await onDatabase(service, (database) => seeUse(t, database))
    }
  })
