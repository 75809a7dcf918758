import type { HostRole } from './host-roles.ts'
import { freshlyMigrated, storeOn } from './store-of.ts'

const literals = (value: string): string =>
  value
    .split(', ')
    .map((part) => `'${part}'`)
    .join(', ')

/** The repositories on a new database, to which a role connects that a host has set up. */
export const storeAs = async ({ name, settings = {}, connections = -1, size, statements = [] }: HostRole) => {
  const { cluster, name: database, url } = await freshlyMigrated()
  await cluster.ask(`create role ${name} login in role almoner connection limit ${connections}`)
  for (const [setting, value] of Object.entries(settings)) {
    const known = await cluster.ask(`select from pg_settings where name = '${setting}'`)
    if (known.length > 0) await cluster.ask(`alter role ${name} set ${setting} = ${literals(value)}`)
  }
  for (const statement of statements) await cluster.ask(statement, database)
  return storeOn(url.replace('//almoner@', `//${name}@`), size)
}
