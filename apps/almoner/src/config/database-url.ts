import * as E from 'fp-ts/lib/Either.js'
import { flow } from 'fp-ts/lib/function.js'
import { type PostgresPlace, parsePostgresUrl } from '../composition/postgres-url.ts'
import type { Parse } from './setting.ts'
import { rule } from './values.ts'

/** Where the database is. */
export type DatabasePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly place: PostgresPlace }

/**
 * A path behind a prefix. Two slashes are refused, because `//data` could mean a host or a folder; `:memory:` is no path and
 * would be gone at the end of a command.
 * @param others other forms that the setting takes, for the message
 */
export const pathAfter = (prefix: string, what: string, others: string): Parse<string> =>
  rule(
    `must be ${prefix} and the path of a ${what}, as ${prefix}./data/… or ${prefix}/var/lib/…; or ${others}`,
    (text) => {
      const path = text.slice(prefix.length)
      const isPath = path.trim() !== '' && !/^\/\/(?!\/)/.test(path) && !path.startsWith(':')
      return text.startsWith(prefix) && isPath ? path : undefined
    },
  )

const sqlite = flow(
  pathAfter('sqlite:', 'file', 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'),
  E.map((path): DatabasePlace => ({ kind: 'sqlite', path })),
)
const postgres = flow(
  parsePostgresUrl,
  E.map((place): DatabasePlace => ({ kind: 'postgres', place })),
)

/** The path of the SQLite database, or the address of a PostgreSQL one. */
export const databasePlace: Parse<DatabasePlace> = (text) =>
  /^postgres(?:ql)?:/i.test(text) ? postgres(text) : sqlite(text)
