import * as E from 'fp-ts/lib/Either.js'
import { pathFault } from '../composition/node.ts'
import { type PostgresPlace, parsePostgresUrl } from '../composition/postgres-url.ts'
import type { Parse } from './setting.ts'
import { rule } from './values.ts'

/** Where the database is. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly place: PostgresPlace }

/** A path behind a prefix. Rejects two slashes, because `//data` could mean a host or a folder, and `:memory:`, which is no path. */
export const pathAfter = <A>(
  prefix: string,
  what: string,
  others: string,
  make: (path: string) => A,
): Parse<A> => {
  const parse = rule(
    `must be ${prefix} and the path of a ${what}, as ${prefix}./data/… or ${prefix}/var/lib/…; or ${others}`,
    (text) => {
      const path = text.slice(prefix.length)
      const isPath = path.trim() !== '' && !/^\/\/(?!\/)/.test(path) && !path.startsWith(':')
      return text.startsWith(prefix) && isPath ? make(path) : undefined
    },
  )
  return (text) => {
    const fault = pathFault(text.slice(prefix.length))
    return fault === undefined ? parse(text) : E.left(fault)
  }
}

const sqlite = pathAfter(
  'sqlite:',
  'file',
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  (path): DatabaseLocation => ({ kind: 'sqlite', path }),
)

/** The path of the SQLite database, or the address of a PostgreSQL one. */
export const databaseLocation: Parse<DatabaseLocation> = (text, environment = {}) =>
  /^postgres(?:ql)?:/i.test(text)
    ? E.map((place: PostgresPlace): DatabaseLocation => ({ kind: 'postgres', place }))(
        parsePostgresUrl(text, environment),
      )
    : sqlite(text)
