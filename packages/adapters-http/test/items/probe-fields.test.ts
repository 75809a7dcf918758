import { join } from 'node:path'
import { type Database, makeTransferStore, queryCache } from '@almoner/adapters-kysely'
import { exportArchive, importArchive } from '@almoner/adapters-kysely/archive'
import { mediaAddressesBelow, parseInput, type Scope } from '@almoner/domain'
import {
  createdValues,
  editedContent,
  editOf,
  FEED_FIELDS,
  type FieldSet,
  fieldMembers,
  fieldTexts,
  ITEM_FIELDS,
  includeNames,
  ownFields,
  withScopes,
  withValues,
  writeParameters,
} from '@almoner/domain/content'
import type { ImageFiles } from '@almoner/domain/ports'
import { boundedText, clearable, decode, instant, parameters } from '@almoner/domain/values'
import { callerWith, done, sampleFeedItem, sampleLibraryItem } from '@almoner/testkit/samples'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { makeItemStore } from '../../../adapters-kysely/src/content/item-store.ts'
import { feedTable, feedTableOf, libraryTable } from '../../../adapters-kysely/src/content/tables.ts'
import { freshStore } from '../../../adapters-postgres/test/store-of.ts'
import { storeOf } from '../../../adapters-sqlite/test/store-of.ts'
import { repeatedFields, typesOf } from '../../../client/test/support/types.ts'
import { schemaOf, withNamedSchemas } from '../../src/openapi/schema.ts'
import { itemJson, makeItemWriter } from '../../src/serializers/content.ts'

const PROBE = boundedText('Probe', 50, { description: 'A probe.' })

/** The definition of posts with two more fields: one that every response has, and one that `include` asks for. */
const PROBED = {
  ...FEED_FIELDS,
  subtitle: {
    kind: 'text',
    property: 'subTitle',
    codec: clearable('Subtitle', PROBE),
    isOptional: true,
  },
  credit: {
    kind: 'text',
    property: 'credit',
    codec: clearable('Credit', PROBE),
    isOptional: true,
    shown: { include: 'credit', scope: 'content-manager' },
  },
} as const satisfies FieldSet

const Create = parameters({ name: 'Create', ...writeParameters(PROBED, 'create') })
const Update = parameters({ name: 'Update', ...writeParameters(PROBED, 'update') })

const COLUMNS = ['sub_title', 'credit']

/** Changes the columns of the probes, as a migration does. */
const alter = (database: Database, how: (column: string) => string): Promise<void> =>
  done(
    database.write(async (db) => {
      for (const column of COLUMNS) await queryCache()(db, `alter table feed_item ${how(column)}`, [])
      return E.right(undefined)
    }),
  )
const addColumns = (database: Database) => alter(database, (column) => `add column ${column} text`)
const dropColumns = (database: Database) => alter(database, (column) => `drop column ${column}`)

const ACT = { actor: { kind: 'client', id: 'probe' }, action: 'update' } as const

/** No item of these tests has images. */
const NO_IMAGES = {} as ImageFiles & Parameters<typeof importArchive>[0]

const sentBy = (title: string, subtitle: string | undefined, credit: string | undefined) => ({
  itemType: 'photo',
  itemTitle: title,
  itemDescription: 'A well.',
  ...(subtitle !== undefined && { subtitle }),
  ...(credit !== undefined && { credit }),
})

/** A post that was created with these parameters, and its values by the definition with probes. */
const postOf = (n: number, sent: object) => {
  const command = parseInput(Create, sent)
  if (!command.ok) throw new Error(JSON.stringify(command.error))
  return { ...sampleFeedItem(n), ...createdValues(PROBED)(command.value) }
}

const editBy = (sent: object) => {
  const command = decode(Update)(sent)
  if (E.isLeft(command)) throw new Error(JSON.stringify(command.left))
  return editOf(PROBED, command.right)
}

const text = fc.stringMatching(/^[a-zé]{1,20}$/)

t.test('C2, K2: a field of the definition is in parameters, edits, history and restoring', async (t) => {
  fc.assert(
    fc.property(
      fc.option(text, { nil: undefined }),
      fc.option(text, { nil: undefined }),
      fc.option(fc.oneof(text, fc.constant('')), { nil: undefined }),
      (subtitle, credit, later) => {
        const created = postOf(1, sentBy('First', subtitle, credit))
        const state = fieldTexts(PROBED)(created)
        t.match(state, { subtitle: subtitle ?? '', credit: credit ?? '' })
        const edited = withValues(PROBED, created, editBy(sentBy('Second', later, undefined)))
        t.match(fieldTexts(PROBED)(edited), { subtitle: later ?? subtitle ?? '', credit: credit ?? '' })
        t.match(fieldTexts(PROBED)(withValues(PROBED, edited, editBy(state))), state, 'restored')
      },
    ),
    { numRuns: 50 },
  )
  t.equal(parseInput(Create, sentBy('First', 'x'.repeat(51), undefined)).ok, false)
})

t.test('J4: a field with a name of `include` is added by it, for callers with its scope', async (t) => {
  t.strictSame(includeNames(PROBED), ['schedule', 'reason', 'credit'])
  t.strictSame(includeNames(FEED_FIELDS), ['schedule', 'reason'])
  const added = await done(fieldMembers(PROBED).credit()([], []))
  const [item] = [postOf(1, sentBy('First', 'Below', 'Zoé'))]
  t.strictSame(added(item.id), { fields: ['credit'] })
  const asked = (scope: Scope) =>
    withScopes(PROBED, callerWith(scope), { include: ['credit'] }, TE.right(item))
  t.strictSame(await asked('content-manager')(), E.right(item))
  t.match(await asked('user')(), { left: { _tag: 'InsufficientScope' } })
  const writer = makeItemWriter(PROBED, mediaAddressesBelow('https://charity.example'))
  const always = JSON.parse(writer.item(item))
  t.match(always, { item: { subtitle: 'Below' } })
  t.notOk('credit' in always.item)
  t.equal(writer.included(item, added(item.id)), '"credit":"Zoé"')
})

t.test('the OpenAPI document and the types and updates of the client have the fields', async (t) => {
  const schema = schemaOf(itemJson('Post', PROBED, {}))
  t.match(schemaOf(Create.shape.optional.subtitle), { maxLength: 50 })
  const content = { 'application/json': { schema } }
  const document = withNamedSchemas({
    components: {},
    ...{ openapi: '3.1.0', info: { title: 'Probe', version: '' } },
    paths: { '/feed/': { get: { responses: { 200: { description: 'Posts.', content } } } } },
  })
  t.match(
    await typesOf(document),
    /Post: \{[\s\S]*readonly subtitle: string;\s[\s\S]*readonly credit\?: string;/,
  )
  t.match(repeatedFields(PROBED), { subtitle: { kind: 'text', maxLength: 50 }, credit: { kind: 'text' } })
})

const ENGINES = {
  SQLite: (folder: string, name: string) => storeOf(join(folder, `${name}.db`)),
  PostgreSQL: () => freshStore(),
}

for (const [engine, open] of Object.entries(ENGINES))
  t.test(
    `the migrated schema of ${engine} has a column for each field, was_live (C18), and no others`,
    async (t) => {
      const { database, libraryItems, feedItems, close } = await open(t.testdir(), 'migrated')
      await done(libraryItems.add({ item: sampleLibraryItem(1), linksToImages: [] }))
      await done(feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
      for (const { table, columns } of [libraryTable, feedTable]) {
        const [row] = await done(
          database.read((db) => queryCache()<object>(db, `select * from ${table}`, [])),
        )
        t.strictSame(Object.keys(row ?? {}).sort(), [...columns, 'was_live'].sort(), table)
      }
      await close()
    },
  )

for (const [engine, open] of Object.entries(ENGINES))
  t.test(`both fields are in the rows, the records and the archives of ${engine}`, async (t) => {
    const folder = t.testdir()
    const [from, to] = [await open(folder, 'from'), await open(folder, 'to')]
    for (const { database } of [from, to]) await addColumns(database)
    const posts = makeItemStore(from.database, feedTableOf(PROBED))
    const post = postOf(1, sentBy('First', 'Below', 'Zoé'))
    const draft = { ...post, status: 'Draft' as const }
    await done(posts.add({ item: draft, linksToImages: [], act: { ...ACT, action: 'create' } }))
    t.strictSame(await done(posts.find(post.id)), O.some(draft), 'read as written')
    const edit = editBy({ ...sentBy('First', '', 'Amina') })
    const change = await done(
      posts.change<never>(post.id, (current) => {
        const item = { ...withValues(PROBED, current as typeof draft, edit), revision: current.revision + 1 }
        const content = editedContent(item.content, { kind: 'photo', link: O.none, vlink: O.none })
        const written = { ...item, status: 'Draft' as const, content, updatedAt: instant(0) }
        return E.right({ item: written, storesImages: [], displaysImages: [], linksToImages: [], act: ACT })
      }),
    )
    const state = await done(from.history.stateAt({ contentType: 'feed', itemId: post.id }, 2))
    t.match(state, O.some({ subtitle: '', credit: 'Amina' }), 'recorded')

    const file = join(folder, 'all.tar')
    const onProgress = () => {}
    const source = { store: makeTransferStore(from.database), files: NO_IMAGES }
    await done(exportArchive(source, { file, isStrict: true, onProgress }))
    const by = { actor: ACT.actor, at: instant(0) } as never
    const target = { ...NO_IMAGES, store: makeTransferStore(to.database) }
    await done(importArchive(target, { file, dryRun: false, by, onProgress }))
    const imported = makeItemStore(to.database, feedTableOf(PROBED))
    t.strictSame(await done(imported.find(post.id)), O.some(change.item), 'imported')
    for (const { database, close } of [from, to]) {
      await dropColumns(database)
      await close()
    }
  })

t.test('each definition holds the fields of all items, and properties only once', async (t) => {
  for (const fields of [ITEM_FIELDS, PROBED] as ReadonlyArray<FieldSet>) {
    t.match(Object.keys(fields), Object.keys(ITEM_FIELDS))
    const properties = ownFields(fields).map(([, { property }]) => property)
    t.equal(new Set(properties).size, properties.length)
  }
})
