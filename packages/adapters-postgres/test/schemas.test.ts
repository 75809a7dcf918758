import { randomUUID } from 'node:crypto'
import { type Migration, makeMigrator } from '@almoner/adapters-kysely'
import { type Cluster, sharedCluster } from '@almoner/postgres-server'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openPostgres, type PostgresDatabase, parsePostgresUrl } from '../src/index.ts'
import { clock } from './store-of.ts'

// The tables are used where they are: a second set beside them would hide all data from some programs (D6).

/** Small tables: only their place is tested, and the real ones take a hundred times as long to make. */
const MIGRATIONS: ReadonlyArray<Migration> = [
  {
    name: '0001-one',
    statements: () =>
      ['client', 'library_item', 'feed_item', 'person'].map(
        (table) => `create table ${table} (id integer primary key)`,
      ),
  },
]

type Opening = 'by its URL' | "by a host's pool"
const OPENINGS: ReadonlyArray<Opening> = ['by its URL', "by a host's pool"]

/** A database without tables, owned by a role. */
interface Ground {
  readonly cluster: Cluster
  readonly name: string
  readonly role: string
  /** Opens it, brings its schema up to date, and returns it. Throws the message of a refusal. */
  readonly open: (how: Opening, schema?: string) => Promise<PostgresDatabase>
  readonly ask: (statement: string) => Promise<ReadonlyArray<Record<string, unknown>>>
}

const makeGround = async (t: Test, role: string, searchPath?: string): Promise<Ground> => {
  const cluster = await sharedCluster()
  const name = `ground_${randomUUID().replaceAll('-', '')}`
  await cluster.ask(`do $$ begin if not exists (select from pg_roles where rolname = '${role}')
    then create role ${role} login; end if; end $$`)
  await cluster.ask(`create database ${name} owner ${role} template template0`)
  if (searchPath !== undefined)
    await cluster.ask(`alter role ${role} in database ${name} set search_path to ${searchPath}`)
  const url = cluster.url(name).replace('//almoner@', `//${role}@`)
  const place = parsePostgresUrl(url)
  if (E.isLeft(place)) throw new Error(place.left)
  return {
    cluster,
    name,
    role,
    ask: (statement) => cluster.ask(statement, name),
    open: async (how, schema) => {
      const pool = new pg.Pool({ connectionString: url })
      const ofPool = schema === undefined ? { pool } : { pool, schema }
      const opened = await openPostgres(how === 'by its URL' ? { place: place.right } : ofPool)()
      if (E.isLeft(opened)) throw opened.left.cause
      t.teardown(() => opened.right.close())
      const migrated = await makeMigrator(opened.right, clock, MIGRATIONS).migrate()()
      if (E.isLeft(migrated)) throw new Error(JSON.stringify(migrated.left))
      return opened.right
    },
  }
}

const setsIn = async ({ ask }: Pick<Ground, 'ask'>) =>
  (await ask("select schemaname from pg_tables where tablename = 'schema_migrations' order by 1")).map(
    ({ schemaname }) => schemaname,
  )

const add = (database: PostgresDatabase) =>
  done(database.write(async (db) => E.right(await sql`insert into feed_item values (1)`.execute(db))))
const sees = async (database: PostgresDatabase) =>
  (await done(database.read((db) => sql`select from feed_item`.execute(db)))).rows.length === 1

/** Search paths of the role, with schemas that exist besides `public`. */
const PATHS: ReadonlyArray<readonly [path: string | undefined, schemas: ReadonlyArray<string>]> = [
  [undefined, []],
  [undefined, ['almoner']],
  ['public', ['almoner']],
  ['shelf, public', ['shelf']],
  ['missing, public', []],
  ['"$user", shelf', ['shelf', 'almoner']],
]

t.test('D6: all programs see one set of tables, with every role and search path', async (t) => {
  for (const [at, role] of ['almoner', 'bob'].entries())
    for (const [n, [path, schemas]] of PATHS.entries()) {
      const [first, second] = (at + n) % 2 === 0 ? OPENINGS : [...OPENINGS].reverse()
      const ground = await makeGround(t, role, path)
      for (const schema of schemas) await ground.ask(`create schema ${schema} authorization ${role}`)
      const running = await ground.open(first as Opening)
      await add(running)
      const later = await ground.open(second as Opening)
      // A schema that is created later changes nothing, neither for running programs nor for new ones.
      await ground.ask(`create schema if not exists ${role} authorization ${role}`)
      const name = `${role}, ${path}, ${schemas}, first ${first}`
      t.ok(
        (await Promise.all([running, later, await ground.open(first as Opening)].map(sees))).every(Boolean),
        name,
      )
      t.equal((await setsIn(ground)).length, 1, name)
    }
})

t.test(
  'D6: programs that start at once on an empty database make one set, and the others name it',
  async (t) => {
    const ground = await makeGround(t, 'almoner')
    const starts = Array.from({ length: 6 }, (_, n) => ground.open(OPENINGS[n % 2] as Opening))
    const ends = await Promise.allSettled(starts)
    const [set, ...more] = await setsIn(ground)
    t.strictSame(more, [])
    t.ok(ends.some(({ status }) => status === 'fulfilled'))
    for (const end of ends)
      if (end.status === 'rejected')
        t.strictSame(JSON.parse(end.reason.message), { _tag: 'TablesElsewhere', schema: set })
    const stores = [await ground.open('by its URL'), await ground.open("by a host's pool")]
    await add(stores[0] as PostgresDatabase)
    t.ok((await Promise.all(stores.map(sees))).every(Boolean))
  },
)

t.test(
  'D6: a set in a schema that a host has named is beside the others, which open as before',
  async (t) => {
    for (const how of OPENINGS) {
      const ground = await makeGround(t, 'almoner')
      await ground.open("by a host's pool", 'first')
      await add(await ground.open(how))
      await ground.open("by a host's pool", 'second "one"')
      const place = how === 'by its URL' ? 'public' : 'almoner'
      t.strictSame(await setsIn(ground), [place, 'first', 'second "one"'].sort())
      t.ok(await sees(await ground.open(how)), 'the set without a name')
      for (const name of ['first', 'second "one"']) {
        const named = await ground.open("by a host's pool", name)
        t.notOk(await sees(named), name)
        await add(named)
        t.ok(await sees(await ground.open("by a host's pool", name)), name)
      }
      t.ok(await sees(await ground.open("by a host's pool", place)), 'named where it is')
    }
  },
)

t.test('D6: a role whose search path names the schema of a host opens the set in it', async (t) => {
  const ground = await makeGround(t, 'almoner')
  await ground.open('by its URL')
  await add(await ground.open("by a host's pool", 'mine'))
  t.notOk(await sees(await ground.open('by its URL')))
  await ground.ask(`alter role almoner in database ${ground.name} set search_path to mine`)
  t.ok(await sees(await ground.open('by its URL')))
})

/** Makes a second set as an earlier version did: tables with their keys, in another schema. */
const addSecondSet = ({ ask, role }: Ground, schema: string) =>
  ask(`create schema ${schema} authorization ${role}; do $$ declare found record; begin
    for found in select tablename as name from pg_tables where schemaname = 'public' loop
      execute format('create table ${schema}.%I (like public.%I including all)', found.name, found.name);
      execute format('alter table ${schema}.%I owner to ${role}', found.name);
    end loop; end $$`)

t.test(
  'D6: two sets are refused with their names and the one without data; once it is dropped, the other opens',
  async (t) => {
    for (const how of OPENINGS) {
      const ground = await makeGround(t, 'almoner')
      const running = await ground.open('by its URL')
      await add(running)
      await addSecondSet(ground, 'almoner')
      t.ok(await sees(running), 'one that runs goes on with its tables')
      const refused: Error = await ground.open(how).then(
        () => new Error('opened'),
        (cause) => cause,
      )
      t.match(
        refused.message,
        /in several schemas of this database, "almoner" and "public"; "almoner" holds no client/,
        how,
      )
      const [, statement = ''] = /: run (.*)$/.exec(refused.message) ?? []
      await ground.ask(statement)
      t.ok(await sees(await ground.open(how)))
    }
  },
)

t.test('D6: of two sets a program opens the one that the search path of its role names', async (t) => {
  const ground = await makeGround(t, 'almoner')
  await add(await ground.open('by its URL'))
  await addSecondSet(ground, 'almoner')
  await ground.ask('insert into almoner.schema_migrations table public.schema_migrations')
  const setPath = (path: string) =>
    ground.ask(`alter role almoner in database ${ground.name} set search_path to ${path}`)
  for (const [path, seesItem] of [
    ['public', true],
    ['almoner', false],
    ['missing, almoner', false],
    ['pg_catalog, public', true],
  ] as const) {
    await setPath(path)
    t.equal(await sees(await ground.open('by its URL')), seesItem, path)
    await t.rejects(ground.open("by a host's pool"), { message: /in several schemas/ }, `${path}, a host`)
  }
  for (const path of ['"$user", public', 'almoner, public', 'public, almoner', 'missing']) {
    await setPath(path)
    await t.rejects(ground.open('by its URL'), { message: /in several schemas/ }, path)
  }
  await ground.ask(`alter role almoner in database ${ground.name} reset search_path`)
  await t.rejects(ground.open('by its URL'), { message: /in several schemas/ }, 'the path of the server')
})

t.test('copies of the tables without keys, as backups by hand, are no second set', async (t) => {
  const ground = await makeGround(t, 'almoner')
  await add(await ground.open('by its URL'))
  await ground.ask('create schema kept; create table kept.schema_migrations as table schema_migrations')
  t.ok(await sees(await ground.open("by a host's pool")))
})

t.test(
  'a schema that the role may not use, and a search path without one, are refused with the way out',
  async (t) => {
    const ground = await makeGround(t, 'almoner')
    await ground.open('by its URL')
    await ground.ask('revoke usage on schema public from public')
    const stranger = new pg.Pool({
      connectionString: ground.cluster.url(ground.name).replace('//almoner@', '//bob@'),
    })
    const opened = await openPostgres({ pool: stranger })()
    t.match(E.isLeft(opened) && opened.left.cause, {
      message: /in the schema "public".*GRANT USAGE ON SCHEMA "public"/,
    })

    const nowhere = await makeGround(t, 'bob', 'missing')
    await t.rejects(nowhere.open('by its URL'), {
      message: /names no schema that exists: create one, such as CREATE SCHEMA/,
    })
    await nowhere.ask('create schema missing authorization bob')
    t.ok(await nowhere.open('by its URL'))
  },
)

t.test('a record of migrations that another program keeps is refused, empty or not', async (t) => {
  const ground = await makeGround(t, 'almoner')
  for (const statement of [
    'create table schema_migrations (version text)',
    "insert into schema_migrations values ('1')",
  ]) {
    await ground.ask(statement)
    await t.rejects(ground.open('by its URL'), { message: /ForeignDatabase/ }, statement)
  }
})

t.test(
  'tables of an extension in the schema do not count as those of another program, all others do',
  async (t) => {
    for (const role of ['almoner', 'bob']) {
      const ground = await makeGround(t, role)
      await ground.ask(
        'create table spatial_ref_sys (srid integer primary key); create table layer (id integer)',
      )
      await ground.ask('create view geometry_columns as select 1 as srid; create sequence parts')
      for (const table of ['spatial_ref_sys', 'layer']) {
        await t.rejects(ground.open('by its URL'), { message: /ForeignDatabase/ }, table)
        await ground.ask(`alter extension plpgsql add table ${table}`)
      }
      await add(await ground.open('by its URL'))
      t.ok(await sees(await ground.open("by a host's pool")))
    }
  },
)
