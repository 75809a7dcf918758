import pg from 'pg'
import type { HostRole } from './host-roles.ts'
import { freshlyMigrated, storeOn } from './store-of.ts'

const literals = (value: string): string =>
  value
    .split(', ')
    .map((part) => `'${part}'`)
    .join(', ')

/** The schema of a host in which the tables are. */
const BESIDE = 'beside the "tables"'

/** Moves the tables to a schema that is not `public`, and leaves tables of a host with the same names there. */
const MAKE_ROOM = `alter schema public rename to ${pg.escapeIdentifier(BESIDE)};
  create schema public; grant all on schema public to public;
  do $$ declare found record; begin
    for found in select tablename as name from pg_tables where schemaname = '${BESIDE}' loop
      execute format('create table public.%I (host integer primary key)', found.name);
    end loop; end $$`

/** The repositories on a new database, in a schema beside the tables of a host, which has set up the role that connects. */
export const storeAs = async ({ name, settings = {}, connections = -1, size, statements = [] }: HostRole) => {
  const { cluster, name: database, url, keep } = await freshlyMigrated()
  await cluster.ask(MAKE_ROOM, database)
  await keep(BESIDE)
  await cluster.ask(`create role ${name} login in role almoner connection limit ${connections}`)
  for (const [setting, value] of Object.entries(settings)) {
    const known = await cluster.ask(`select from pg_settings where name = '${setting}'`)
    if (known.length > 0) await cluster.ask(`alter role ${name} set ${setting} = ${literals(value)}`)
  }
  for (const statement of statements) await cluster.ask(statement, database)
  return storeOn(url.replace('//almoner@', `//${name}@`), size, BESIDE)
}
