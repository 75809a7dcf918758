import { join } from 'node:path'
import { makeTransferStore, type Row, STORAGE_TABLE, TRANSFER_TABLES } from '@almoner/adapters-kysely'
import {
  done,
  failure,
  SAMPLE_MOMENT,
  sampleCopy,
  sampleDevice,
  sampleEmail,
  sampleId,
  sampleIdentity,
  sampleLibraryItem,
  sampleManager,
  sampleMoment,
  samplePassword,
  samplePortfolio,
} from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { rowsOf, seeTextsMerged, storedTexts } from './fixtures/device-spellings.ts'
import { strayed, wipe } from './sending/looks.ts'
import { again, begin, claimed, fill, type Opened, record } from './sending/served.ts'
import { storeOf } from './store-of.ts'
import { allOf, batchesFrom, contentOf, importInto, made, tableOf } from './transfer/transfer.ts'

const withTwo = (name: string, body: (t: Test, old: Opened, fresh: Opened) => Promise<void>) =>
  t.test(name, async (t) => {
    const folder = t.testdir()
    const [old, fresh] = await Promise.all(['old', 'new'].map((file) => storeOf(join(folder, `${file}.db`))))
    if (old === undefined || fresh === undefined) throw new Error('two stores are needed')
    await body(t, old, fresh)
    await Promise.all([old.close(), fresh.close()])
  })

const reader = (email: string) => ({ email, lang: 'en', subscribed: 1, topics: '[]' })
const device = (id: number, email: string, token = `fcm:${id}`) => ({
  ...{ id, token, kind: 'fcm', attached_at: 0, epoch: 1 },
  ...{ email, lang: 'en', subscribed: 1 },
})

/** The search index and the changes, which are derived from the items (J2, N2), and the topics of devices, derived from those of people (F6). */
const isDerived = (name: string): boolean =>
  name === 'follow' || name === 'content_change' || /^(library|feed)_(search|terms|words)/.test(name)

withTwo(
  'I4: every table is exported but those that belong to one place: tokens, sessions, secrets, keys, epochs, nodes',
  async (t, { database }) => {
    const tables = await done(
      database.read(
        async (db) => (await sql<{ name: string }>`${sql.raw(database.dialect.tableNames)}`.execute(db)).rows,
      ),
    )
    const stay: ReadonlyArray<string> = [
      'access_token',
      'change_epoch',
      'client_use',
      'counted_request',
      'deleted_item',
      'failed_attempt',
      'idempotency_key',
      'job_lease',
      'link_finding',
      'link_round',
      'manager_session',
      'media_hold',
      'node',
      'one_time_secret',
      'preview_token',
      'schema_migrations',
      STORAGE_TABLE,
      'unfinished_erasure',
      'waiting_feed',
      'wrong_code',
    ]
    t.strictSame(
      tables
        .map(({ name }) => name)
        .filter((name) => !stay.includes(name) && !isDerived(name))
        .sort(),
      TRANSFER_TABLES.map(({ name }) => String(name)).sort(),
    )
  },
)

withTwo(
  'I4: the descriptions of tables match the schema: keys, references and column names',
  async (t, { database }) => {
    const ask = (query: string) =>
      done(database.read(async (db) => (await sql<Row>`${sql.raw(query)}`.execute(db)).rows))
    for (const table of TRANSFER_TABLES) {
      const columns = await ask(`select name, pk from pragma_table_info('${table.name}') order by pk`)
      const names = columns.map(({ name }) => name)
      const key = columns.filter(({ pk }) => Number(pk) > 0).map(({ name }) => name)
      // The one row of the portfolio needs no key.
      if (table.name !== 'portfolio') t.strictSame(table.key, key, table.name)
      const named = [table.unique ?? [], Object.keys(table.checks), Object.keys(table.derived)].flat()
      const counted = Object.values(table.numbers).flat()
      const referring = table.references.flatMap((one) => one.columns)
      for (const name of [...named, ...counted, ...referring])
        t.ok(names.includes(name), `${table.name}.${name}`)
      const foreign = await ask(`select "from", "table" from pragma_foreign_key_list('${table.name}')`)
      for (const { from, table: to } of foreign)
        t.ok(
          table.references.some((one) => one.table === to && one.columns[0] === from),
          `${table.name}.${from} refers to ${to}`,
        )
    }
  },
)

withTwo(
  'I4: rows are read by the schema: all columns except derived ones, with their types',
  async (t, { database }) => {
    const readRow = await done(makeTransferStore(database).rowReader())
    const errors = (name: string, value: unknown) => readRow(tableOf(name), value)
    t.match(errors('delivery', {}), { errors: { length: 20 } }, 'each missing column')
    t.strictSame(
      errors('person', { email: '', lang: 'xx', subscribed: 2, topics: '["a", "a"]', epoch: -1, more: 1 }),
      {
        errors: [
          'email must not be empty',
          'lang "xx" must be one of en, fr',
          'subscribed "2" must be 0 or 1',
          'topics "["a", "a"]" must be a JSON array of labels',
          'epoch "-1" must be a whole number from 0 on',
          'more is no column of person: the nearest known name is email',
        ],
      },
    )
    t.strictSame(errors('epoch', { id: null, value: '1', inbox_epoch: 0 }), {
      errors: ['id must be 1', 'value "1" must be a whole number from 1 on'],
    })
    const own = { id: 'a', name: '', scopes: '', roles: '', email: null, disabled: 0 }
    const client = { ...own, for_people: 0, public: 0, audience: null }
    t.strictSame(errors('client', client), { row: client })
    for (const people of [{ public: 1 }, { audience: 'app' }]) {
      t.match(errors('client', { ...client, ...people }), { errors: [/not for people/] })
      const row = { ...client, ...people, for_people: 1 }
      t.strictSame(errors('client', row), { row })
    }
    t.strictSame(errors('client', { ...client, name: null }), { errors: ['name must be text'] })
    const secret = { client_id: 'a', seq: 0, hash: 'x', until: -1, life: 0 }
    t.strictSame(errors('client_secret', secret), { row: secret }, 'times may be before 1970')
    const copy = { email: 'a', key: 'b', content_type: 'feed', base_etag: '', title: '', updated_at: 0 }
    t.strictSame(errors('working_copy', { ...copy, fields: '[]' }), {
      errors: ['fields "[]" must be the JSON text of an object of texts'],
    })
    t.strictSame(errors('client_secret', { ...secret, seq: -1 }), {
      errors: ['seq "-1" must be a whole number from 0 on'],
    })
  },
)

withTwo('a partly sent notification continues after a transfer', async (t, old, fresh) => {
  await fill(old, 0, 8)
  const id = await begin(old)
  const first = await claimed(old, 3)
  await record(old, first)
  await record(old, await claimed(old, 2), { result: again(sampleMoment(60)) })
  const held = await claimed(old, 2)
  await done(old.portfolio.replace(samplePortfolio()))
  await done(old.users.prefer(sampleEmail(7), { lang: 'fr' }))
  const count = await done(importInto(fresh.database, () => batchesFrom(old.database)))
  t.strictSame(await contentOf(fresh.database), await contentOf(old.database))
  t.equal(count, Object.values(await contentOf(old.database)).flat().length)
  t.strictSame(await done(fresh.portfolio.content()), samplePortfolio())
  t.strictSame(
    (await claimed(fresh, 2)).recipients,
    held.recipients,
    'claims are not moved: the batch can be claimed at once',
  )
  t.strictSame(
    (await claimed(fresh, 9)).recipients.map(({ email }) => email),
    [sampleEmail(7)],
    'recipients who changed since stay recipients',
  )
  const progress = O.toUndefined(await done(fresh.notifications.find(id)))?.progress
  t.match(progress, O.some({ recipients: 8, tally: { delivered: 3 } }))
})

withTwo('every column is exported or derived, except leases', async (t, old, fresh) => {
  await fill(old, 0, 3)
  await begin(old)
  await claimed(old, 2)
  await done(old.portfolio.replace(samplePortfolio()))
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  for (const table of TRANSFER_TABLES) {
    const plain = (rows: ReadonlyArray<Row>) =>
      rows.map(({ token_digest: _, ...row }) => ({
        ...row,
        ...('lease_until' in row ? { lease_until: null } : {}),
      }))
    const imported = (await allOf(fresh.database, table)).filter((row) => row['action'] !== 'import-archive')
    t.strictSame(plain(imported), plain(await allOf(old.database, table)), table.name)
  }
})

withTwo('sequences continue after the largest id in use', async (t, old, fresh) => {
  await fill(old, 0, 3)
  await done(old.devices.attach(sampleDevice(3)))
  await begin(old)
  await record(old, await claimed(old, 4))
  // The device with the greatest number is gone; the ledger still names it.
  await done(old.devices.detach(sampleEmail(3), sampleDevice(3)))
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  await done(fresh.devices.attach(sampleDevice(9)))
  const ids = (await allOf(fresh.database, tableOf('device'))).map(({ id }) => id)
  t.strictSame(ids, [1, 2, 3, 5])
  await begin(fresh, 2)
  t.strictSame(
    (await allOf(fresh.database, tableOf('delivery'))).map(({ id }) => id),
    [1, 2],
  )
})

withTwo('a database with data imports nothing and lists its data', async (t, old, fresh) => {
  await fill(fresh, 0, 2)
  t.match(await importInto(fresh.database, () => batchesFrom(old.database))(), {
    left: {
      _tag: 'NotEmpty',
      existing: [
        { table: 'person', rows: 2 },
        { table: 'device', rows: 2 },
      ],
    },
  })
})

withTwo(
  'rows with bad references or repeated keys are all named, and nothing is imported',
  async (t, _, fresh) => {
    const refused = await importInto(fresh.database, () =>
      made(
        ['library_label', [{ item_id: 'nowhere', label_id: 'none' }]],
        ['person', [reader('a@b.org'), reader('c@d.org')]],
        ['device', [device(1, 'a@b.org'), device(2, 'x@y.org'), device(3, 'c@d.org', 'fcm:1')]],
        ['device', [{ ...device(4, 'a@b.org'), lang: 'fr' }, device(5, 'a@b.org', 'fcm:1')]],
        ['ledger', [{ delivery_id: 1, device_id: 1, outcome: 'dead', at: 0 }]],
      ),
    )()
    t.match(refused, {
      left: {
        _tag: 'RowsRefused',
        errors: [
          { entry: 'library_label.ndjson', line: 1, message: 'item_id must be of a row of library_item' },
          { entry: 'library_label.ndjson', line: 1, message: 'label_id must be of a row of label' },
          { entry: 'device.ndjson', line: 3, message: 'repeats the token_digest of another row' },
          { entry: 'device.ndjson', line: 2, message: 'email, lang, subscribed must be of a row of person' },
          { entry: 'device.ndjson', line: 2, message: 'repeats the token_digest of another row' },
          { entry: 'device.ndjson', line: 1, message: 'email, lang, subscribed must be of a row of person' },
          { entry: 'ledger.ndjson', line: 1, message: 'delivery_id must be of a row of delivery' },
        ],
      },
    })
    t.strictSame(Object.keys(await contentOf(fresh.database)), ['epoch', 'provider'])
  },
)

withTwo('errors that only the database finds are named with their line too', async (t, _, fresh) => {
  const refused = await importInto(fresh.database, () =>
    made(['person', [reader('a@b.org'), reader('a@b.org')]]),
  )()
  t.match(refused, {
    left: { errors: [{ entry: 'person.ndjson', line: 1, message: /^or a line behind it is refused/ }] },
  })
})

withTwo('the number of reported errors is limited', async (t, _, fresh) => {
  const rows = Array.from({ length: 50 }, (_, n) => device(n + 1, 'x@y.org'))
  const refused = await importInto(fresh.database, () => made(['device', rows]), false, 7)()
  t.match(refused, { left: { errors: { length: 7 } } })
})

withTwo('a dry run finds the errors and leaves nothing', async (t, old, fresh) => {
  await fill(old, 0, 5)
  t.equal(await failure(importInto(fresh.database, () => batchesFrom(old.database), true)), 'DryRunPassed')
  t.strictSame(Object.keys(await contentOf(fresh.database)), ['epoch', 'provider'])
  await done(fresh.devices.attach(sampleDevice(1, { attachedAt: SAMPLE_MOMENT })))
  t.strictSame(
    (await allOf(fresh.database, tableOf('device'))).map(({ id }) => id),
    [1],
    'no ids are used up',
  )
})

withTwo('an interrupted import leaves nothing, and can be repeated', async (t, old, fresh) => {
  await fill(old, 0, 20)
  const torn = async function* () {
    for await (const batch of batchesFrom(old.database)) {
      if (batch.table.name === 'device') throw new Error('torn')
      yield batch
    }
  }
  await t.rejects(importInto(fresh.database, torn)(), { message: 'torn' })
  t.strictSame(Object.keys(await contentOf(fresh.database)), ['epoch', 'provider'])
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  t.strictSame(await contentOf(fresh.database), await contentOf(old.database))
})

withTwo('M3: linked accounts are imported with their managers, and not without', async (t, old, fresh) => {
  await done(old.managers.add(sampleManager('ada')))
  await done(old.identities.link(sampleIdentity(1)))
  const { manager_identity: identities = [] } = await contentOf(old.database)
  const refused = await importInto(fresh.database, () => made(['manager_identity', identities]))()
  t.match(refused, { left: { errors: [{ line: 1, message: 'email must be of a row of manager' }] } })
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  t.strictSame(await done(fresh.identities.all()), [sampleIdentity(1)])
})

withTwo('M3: passwords and recovery codes are imported with their managers', async (t, old, fresh) => {
  const password = samplePassword()
  await done(old.managers.add(sampleManager('ada')))
  await done(old.passwords.set(password))
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  t.strictSame(await done(fresh.passwords.find(password.email)), O.some(password))
})

withTwo('M7: working copies are imported with their managers, as they were typed', async (t, old, fresh) => {
  const ada = sampleManager('ada')
  await done(old.managers.add(ada))
  await done(old.workingCopies.put(sampleCopy(1, ada)))
  const { manager = [], working_copy: copies = [] } = await contentOf(old.database)
  t.equal(copies.length, 1)
  const [copy = {}] = copies
  const orphan = { ...copy, email: 'eve@example.org' }
  const refused = await importInto(fresh.database, () =>
    made(['manager', manager], ['working_copy', [...copies, orphan]]),
  )()
  t.match(refused, {
    left: {
      errors: [{ line: 2, message: 'email must be of a row of manager' }],
    },
  })
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  t.strictSame(
    await done(fresh.workingCopies.find(ada.email, sampleCopy(1, ada).key)),
    O.some(sampleCopy(1, ada)),
  )
})

const IN_STEP = { en_base: null, fr_base: null }

withTwo('J8: a pair that is imported without its base is in step as it is', async (t, old, fresh) => {
  for (const [n, lang] of [
    [1, 'en'],
    [2, 'fr'],
  ] as const)
    await done(old.libraryItems.add({ item: sampleLibraryItem(n, { lang }), linksToImages: [] }))
  const { library_item: items = [] } = await contentOf(old.database)
  const pair = { en_id: sampleId(1), fr_id: sampleId(2), en_base: 7, fr_base: null }
  await done(importInto(fresh.database, () => made(['library_item', items], ['translation', [pair]])))
  t.strictSame((await contentOf(fresh.database))['translation'], [{ ...pair, en_base: null }])
})

withTwo(
  'J7: translations are imported, and only between items in the two languages',
  async (t, old, fresh) => {
    for (const [n, lang] of [
      [1, 'en'],
      [2, 'fr'],
      [3, 'en'],
      [4, 'fr'],
    ] as const)
      await done(old.libraryItems.add({ item: sampleLibraryItem(n, { lang }), linksToImages: [] }))
    await done(old.translations.link(sampleId(2), sampleId(1)))
    const { library_item: items = [], translation = [] } = await contentOf(old.database)
    t.strictSame(translation, [{ en_id: sampleId(1), fr_id: sampleId(2), ...IN_STEP }])
    const rows = [
      { en_id: sampleId(3), fr_id: sampleId(2), ...IN_STEP },
      { en_id: sampleId(4), fr_id: sampleId(9), ...IN_STEP },
    ]
    const refused = await importInto(fresh.database, () =>
      made(['library_item', items], ['translation', [...translation, ...rows]]),
    )()
    t.match(refused, {
      left: {
        errors: [
          { line: 2, message: 'repeats the fr_id of another row' },
          { line: 3, message: 'en_id must be of a row of library_item whose lang is en' },
          { line: 3, message: 'fr_id must be of a row of library_item whose lang is fr' },
        ],
      },
    })
    await done(importInto(fresh.database, () => batchesFrom(old.database)))
    t.strictSame(await contentOf(fresh.database), await contentOf(old.database))
  },
)

withTwo(
  'F1, I4: an export of an unreleased state may hold several forms of an address: one person is imported',
  async (t, _, fresh) => {
    const [one, other] = ['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example'] as const
    const later = { ...device(2, other), attached_at: 9, lang: 'fr' }
    const rows = made(
      ['epoch', [{ id: 1, value: 3 }]],
      ['person', [reader(one), { ...reader(other), lang: 'fr' }]],
      ['device', [device(1, one), later]],
    )
    await done(importInto(fresh.database, () => rows))
    const { database } = fresh
    const people = await done(database.read((db) => db.selectFrom('person').selectAll().execute()))
    t.same(people, [{ email: one, lang: 'fr', subscribed: 1, topics: '[]', epoch: 0 }])
    const devices = await done(
      database.read((db) => db.selectFrom('device').select(['email', 'lang']).orderBy('id').execute()),
    )
    t.same(devices, [
      { email: one, lang: 'fr' },
      { email: one, lang: 'fr' },
    ])
  },
)

withTwo(
  'F4, I4: an export of an unreleased state may hold several texts of one device: one device is imported',
  async (t, _, fresh) => {
    await t.resolves(
      fc.assert(
        fc.asyncProperty(storedTexts, async (texts) => {
          await wipe(fresh.database)
          const { people, devices, dead } = rowsOf(texts)
          const rows = () =>
            made(
              ['epoch', [{ id: 1, value: 3 }]],
              ['person', people.map((one) => ({ ...one, topics: '[]' }))],
              ['device', devices],
              ['dead_device', dead],
            )
          await done(
            fresh.database.write(async (db) => E.right(await db.deleteFrom('audit_record').execute())),
          )
          await done(importInto(fresh.database, rows))
          await seeTextsMerged(fresh.database, texts)
        }),
        { numRuns: 30 },
      ),
    )
  },
)

withTwo(
  'H5, I4: an export of an unreleased state may hold identifiers that are not composed: they are composed',
  async (t, _, fresh) => {
    const [one, other] = ['École', 'École'.normalize('NFD')]
    const label = (label_id: string, rank: number) => ({ label_id, en: 'Name', fr: 'Nom', rank })
    const sector = (id: string) => ({ id, en: 'Name', fr: null, logo: 'logo.png' })
    const rows = made(['portfolio_sector', [sector(other)]], ['label', [label(one, 0), label(other, 1)]])
    await done(importInto(fresh.database, () => rows))
    const content = await contentOf(fresh.database)
    t.strictSame(content['label'], [label(one, 0)])
    t.strictSame(content['portfolio_sector'], [sector(one)])
  },
)

withTwo(
  'F6: devices repeat the topics of imported people, which must be labels',
  async (t, _, { database }) => {
    const label = { label_id: 'water', en: 'Water', fr: 'Eau', rank: 0 }
    const person = (n: number, topics: string, subscribed = 1) => ({
      ...reader(`${n}@example.org`),
      topics,
      subscribed,
    })
    const people = [person(1, '["water"]'), person(2, '[]'), person(3, '["water"]', 0), person(4, '["arts"]')]
    const devices = [1, 2, 3].map((n) => ({ ...device(n, `${n}@example.org`), subscribed: n === 3 ? 0 : 1 }))
    const rows = (some: ReadonlyArray<Row>) =>
      made(['label', [label]], ['epoch', [{ id: 1, value: 1 }]], ['person', some], ['device', devices])
    t.match(await importInto(database, () => rows(people))(), {
      left: {
        _tag: 'RowsRefused',
        errors: [{ entry: 'person.ndjson', line: 4, message: 'topics must be of a row of label' }],
      },
    })
    await done(importInto(database, () => rows(people.slice(0, 3))))
    t.equal(await strayed(database), 0)
    t.same(await done(database.read((db) => db.selectFrom('follow').selectAll().execute())), [
      { label_id: 'water', lang: 'en', device_id: 1 },
    ])
  },
)
