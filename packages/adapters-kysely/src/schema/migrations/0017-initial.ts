import { clients, service } from './initial/clients.ts'
import { devices } from './initial/devices.ts'
import { items } from './initial/items.ts'
import { portfolio } from './initial/portfolio.ts'
import { sending } from './initial/sending.ts'
import type { Migration } from './migration.ts'

/** The last of the migrations that this one replaces: together they made the same schema. */
const LAST_MERGED = '0017-no-ranks'

/** The first schema. Languages and providers are checked by the domain alone: one more of them is no change of the schema. */
export const initial: Migration = {
  name: '0017-initial',
  statements: (dialect) =>
    [items, clients, devices, sending, portfolio, service].flatMap((statements) => statements(dialect)),
}

/** Returns the names of applied migrations, with {@link initial} instead of the ones that it replaces. */
export const mergedNames = (applied: ReadonlyArray<string>): ReadonlyArray<string> =>
  applied.includes(LAST_MERGED) ? [initial.name, ...applied.filter((name) => name > LAST_MERGED)] : applied
