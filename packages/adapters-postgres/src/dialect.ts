import {
  type Condition,
  condition,
  queryCache,
  type SearchIndex,
  type SqlDialect,
} from '@almoner/adapters-kysely'
import * as O from 'fp-ts/lib/Option.js'
import pg from 'pg'
import { DatabaseRefused, isConstraintBroken } from './fault.ts'
import type { Session } from './session.ts'
import { SIGNAL_TABLE } from './signals.ts'

const run = queryCache()

/** Code points of a lexeme, of which PostgreSQL takes 2,046 bytes. Longer words are compared by their text as well. */
const LONGEST = 500

const cut = (word: string): string => (word.length > LONGEST ? [...word].slice(0, LONGEST).join('') : word)

const lexemesOf = (text: string): string => text.split(' ').map(cut).join(' ').trim()

const store: SearchIndex['add'] = async (db, contentType, { id, text }) => {
  await run(
    db,
    `insert into ${contentType}_search (item_id, words, lexemes)
      values (?, ?, array_to_tsvector(string_to_array(?, ' ')))
      on conflict (item_id) do update set (words, lexemes) = (excluded.words, excluded.lexemes)`,
    [id, text, lexemesOf(text)],
  )
}

const wordConditions = (words: ReadonlyArray<string>): ReadonlyArray<Condition> => {
  if (words.length === 0) return []
  // Words consist of letters and digits, so that no quote has to be escaped.
  const query = words.map((word) => `'${cut(word)}':*`).join(' & ')
  const long = words.filter((word) => word.length > LONGEST)
  return [
    condition('lexemes @@ cast(? as tsquery)', query),
    ...long.map((word) => condition('position(? in words) > 0', ` ${word}`)),
  ]
}

/**
 * The words of items as vectors of lexemes under a GIN index. The vectors are built of words that are split already: PostgreSQL's parser would
 * split them by the rules of the database's locale.
 */
const TSVECTOR_INDEX: SearchIndex = {
  tables: (contentType) => [
    `create table ${contentType}_search (
      item_id text collate "C" not null primary key references ${contentType}_item (id),
      words text collate "C" not null,
      lexemes tsvector not null
    )`,
    `create index ${contentType}_search_lexemes on ${contentType}_search using gin (lexemes)`,
  ],
  add: store,
  remove: async (db, contentType, id) => {
    await run(db, `delete from ${contentType}_search where item_id = ?`, [id])
  },
  replace: store,
  relabel: async () => {},
  find: async (_db, { contentType, words, labelId }) => {
    const item = `${contentType}_item`
    const search = wordConditions(words)
    const wanted = search.map(({ text }) => text).join(' and ')
    const found = `${item}.id in (select item_id from ${contentType}_search where ${wanted})`
    const carrying = `${item}.id in (select item_id from ${contentType}_label where label_id = ?)`
    return {
      from: item,
      conditions: [
        ...(search.length > 0 ? [condition(found, ...search.flatMap(({ values }) => values))] : []),
        ...(O.isSome(labelId) ? [condition(carrying, labelId.value)] : []),
      ],
    }
  },
}

/** The schema that a host's pool gets where no tables exist yet. */
const OF_POOLS = 'almoner'

/** Which schema a host or an operator asks for. */
export type WantedSchema =
  /** This one, which is created if missing. */
  | { readonly kind: 'named'; readonly name: string }
  /** Where the tables are; without any, a separate schema, which keeps the host's tables apart. */
  | { readonly kind: 'pool' }
  /** Where the tables are: of several sets the one that the role's search path names; the first schema of that path where there are none. */
  | { readonly kind: 'role' }

/** The comment on a set of tables in a schema that a host has named. Programs that look for tables in all schemas pass it over. */
const APART = 'Tables of Almoner in a schema that its host has named'

/**
 * The schemas that hold the tables of a service, regardless of the search path. Copies that `create table as` has made have no
 * primary key, and do not count.
 */
const TABLE_SETS = `select n.nspname as name, has_schema_privilege(n.oid, 'usage') as usable,
    obj_description(c.oid, 'pg_class') is not distinct from '${APART}' as apart
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relname = 'schema_migrations' and c.relkind in ('r', 'p') and n.nspname !~ '^pg_'
    and exists (select from pg_constraint p where p.conrelid = c.oid and p.contype = 'p')
    and 3 = (select count(*) from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
      and a.attname in ('name', 'checksum', 'applied_at'))
  order by 1`

interface TableSet {
  readonly name: string
  readonly usable: boolean
  /** Whether a host has named its schema. */
  readonly apart: boolean
}

const quoted = (names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(' and ')

const tableSets = async (session: Session): Promise<ReadonlyArray<TableSet>> => {
  const { rows } = await session.ask(TABLE_SETS)
  return rows.map(({ name, usable, apart }) => ({
    name: String(name),
    usable: usable === true,
    apart: apart === true,
  }))
}

/** Returns which of several sets hold neither a client nor an item. One that the role may not read counts as holding something. */
const emptyAmong = async (
  session: Session,
  sets: ReadonlyArray<TableSet>,
): Promise<ReadonlyArray<string>> => {
  const empty: Array<string> = []
  for (const { name } of sets) {
    const schema = pg.escapeIdentifier(name)
    const tables = ['client', 'library_item', 'feed_item', 'person'].map(
      (table) => `exists (select from ${schema}.${table})`,
    )
    const found = await session.ask(`select ${tables.join(' or ')} as filled`).catch(() => undefined)
    if (found?.rows[0]?.['filled'] === false) empty.push(name)
  }
  return empty
}

const severalText = (names: ReadonlyArray<string>, empty: ReadonlyArray<string>): string => {
  const known = empty.length > 0 && empty.length < names.length
  const which = known
    ? `${quoted(empty)} holds no client, person or item: run DROP SCHEMA ${pg.escapeIdentifier(empty[0] ?? '')} CASCADE`
    : 'look which one holds the data, and move the other one to another database'
  return `the tables of the service exist in several schemas of this database, ${quoted(names)}; ${which}`
}

const createIn = async (session: Session, wanted: WantedSchema): Promise<string> => {
  if (wanted.kind === 'role') {
    const { rows } = await session.ask('select current_schema() as name')
    const [{ name } = { name: null }] = rows
    if (typeof name === 'string') return name
    throw new DatabaseRefused(
      'the search path of the role names no schema that exists: create one, such as CREATE SCHEMA almoner AUTHORIZATION with the name of the role',
    )
  }
  const name = wanted.kind === 'pool' ? OF_POOLS : wanted.name
  // It looks first, because `create schema if not exists` needs the right to create even if it exists.
  const { rows } = await session.ask('select 1 from pg_namespace where nspname = $1', [name])
  if (rows.length > 0) return name
  try {
    await session.ask(`create schema if not exists ${pg.escapeIdentifier(name)}`)
  } catch (cause) {
    // Another program has made it at the same moment.
    if (!isConstraintBroken(cause)) throw cause
  }
  return name
}

/**
 * The schemas of a search path that someone has set for the role, the database or the connection. That of the server says nothing about the tables:
 * its `"$user", public` finds a schema by chance.
 */
const CHOSEN_PATH = `select named.name from pg_settings, unnest(current_schemas(false)) as named (name)
  where pg_settings.name = 'search_path' and source in ('database', 'user', 'database user', 'client')`

/** Returns the one of several sets that the operator has named in the search path; undefined if that names none or several. */
const namedInPath = async (
  session: Session,
  sets: ReadonlyArray<TableSet>,
): Promise<TableSet | undefined> => {
  const { rows } = await session.ask(CHOSEN_PATH)
  const named = sets.filter((set) => rows.some(({ name }) => name === set.name))
  return named.length === 1 ? named[0] : undefined
}

const chosen = async (
  session: Session,
  wanted: WantedSchema,
  all: ReadonlyArray<TableSet>,
): Promise<TableSet | undefined> => {
  if (wanted.kind === 'named') return all.find(({ name }) => name === wanted.name)
  const ofHosts = all.filter(({ apart }) => apart)
  const asked = wanted.kind === 'role' && ofHosts.length > 0 ? await namedInPath(session, ofHosts) : undefined
  if (asked !== undefined) return asked
  const sets = all.filter(({ apart }) => !apart)
  const names = sets.map(({ name }) => name)
  if (sets.length < 2) return sets[0]
  const own = wanted.kind === 'role' ? await namedInPath(session, sets) : undefined
  if (own === undefined) throw new DatabaseRefused(severalText(names, await emptyAmong(session, sets)))
  return own
}

/**
 * Returns the schema of the tables: the one that a host names, else the one in which they exist, of several the one that the operator chose. Unless a
 * host names it, only a database without any gets new ones, so that no second set ever hides the first one from programs that search by their role. Throws {@link DatabaseRefused} where that cannot be decided.
 */
export const findSchema = async (session: Session, wanted: WantedSchema): Promise<string> => {
  const found = await chosen(session, wanted, await tableSets(session))
  if (found === undefined) return createIn(session, wanted)
  if (found.usable) return found.name
  const schema = pg.escapeIdentifier(found.name)
  throw new DatabaseRefused(
    `the tables of the service are in the schema "${found.name}", which this role may not use: run GRANT USAGE ON SCHEMA ${schema} and GRANT ALL ON ALL TABLES IN SCHEMA ${schema} for the role, or connect as their owner`,
  )
}

/** Any number that is ours: the same for all versions, so that they keep each other out. */
const MIGRATION = 0x41_6c_6d_6f

/** Renames constraints, and so the indexes of keys, whose names PostgreSQL has made of earlier names of tables and columns. */
const CONSTRAINT_NAMES = `do $$ declare found record; begin
  for found in select place, conname as name, regexp_replace(conname, pattern, named) as present
    from pg_constraint join (values
      ('batch', '^portion', 'batch'),
      ('delivery', '^delivery_next_portion', 'delivery_next_batch'),
      ('delivery', '^delivery_taken_up_at', 'delivery_started_at'),
      ('media_reference', '^media_use(?!_shelf)', 'media_reference'),
      ('media_reference', '^media_use_shelf', 'media_reference_content_type'),
      ('node', '^node_told_at', 'node_last_seen_at'),
      ('notification', '^notification_taken_up', 'notification_started'),
      ('one_time_secret', '1$', ''),
      ('recipient_snapshot', '^pin', 'recipient_snapshot')
    ) as changed (place, pattern, named) on conrelid = place::regclass and conname ~ pattern
  loop execute format('alter table %I rename constraint %I to %I', found.place, found.name, found.present);
  end loop; end $$`

/** Added to the number of a transaction, so that positions of one epoch lie behind those of the last one (N3). */
const SHIFT = '(select shift from change_epoch where last_position is null)'

/** Its system identifier and timeline: another server, or one that was promoted, may give the numbers of lost transactions again (N3). */
const SERVER = `concat((select system_identifier from pg_control_system()), '/', left(pg_walfile_name(pg_current_wal_lsn()), 8))`

/**
 * The SQL dialect of PostgreSQL. Text is compared by its UTF-8 bytes, regardless of the database's collation, so that every order and key is
 * the same as on other engines.
 */
export const POSTGRES: SqlDialect = {
  text: 'text collate "C"',
  integer: 'bigint',
  tableOptions: '',
  keyedOptions: '',
  // By default, not always: imported rows keep their numbers.
  identity: 'bigint generated by default as identity primary key',
  rowNumber: 'bigint generated by default as identity primary key',
  // Not those of an extension, such as PostGIS: hosts create it in the schema that everything else goes to.
  tableNames: `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`,
  otherTableSets: `select name from (${TABLE_SETS}) as sets where name is distinct from current_schema() and not apart`,
  tableSetMark: [],
  locksRows: true,
  migrationLock: {
    attempt: `select pg_try_advisory_xact_lock(${MIGRATION}) as taken`,
    wait: `select pg_advisory_xact_lock(${MIGRATION})`,
  },
  // Locks on rows are no queue: shared ones are granted past a writer that waits. Locks on tables are one.
  queueingLock: (table) => `lock table ${table} in exclusive mode`,
  countBehind: (table, number) => [`select setval(pg_get_serial_sequence('${table}', 'id'), ${number})`],
  listHolds: (list, text) => `jsonb_exists(${list}::jsonb, ${text})`,
  primaryKey: (table, column) => [`alter table ${table} add primary key (${column})`],
  constraintNames: [CONSTRAINT_NAMES],
  signalTable: [SIGNAL_TABLE],
  search: TSVECTOR_INDEX,
  // Numbers of transactions do not commit in order: only those before the oldest that runs are complete (N2).
  positions: {
    next: `(pg_current_xact_id()::text::bigint + ${SHIFT})`,
    settled: `pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${SHIFT}`,
    server: SERVER,
    newEpoch: "substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)",
  },
}

/** The dialect of a schema that a host has named: other sets in the database are no concern of its service, nor is its set one of theirs. */
export const POSTGRES_APART: SqlDialect = {
  ...POSTGRES,
  otherTableSets: undefined,
  tableSetMark: [`comment on table schema_migrations is '${APART}'`],
}
