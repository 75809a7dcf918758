import * as E from 'fp-ts/lib/Either.js'
import { type PostgresPlace, parsePostgresUrl } from '../composition/postgres-url.ts'
import type { Parse } from './setting.ts'
import { rule } from './values.ts'

/** Where the database is. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly place: PostgresPlace }

/** Matches paths in which a shell would put a folder or a variable, or take quotes off; here they would make files of these names. */
const FOR_SHELLS = /^[~"'\s]|`|\$(?:[{(]|[A-Za-z_])|%[A-Za-z_]\w*%/

const WHOLE_PATH = 'must be a whole path, without quotes: only a shell replaces ~ and $HOME'

/** Matches parameters, which other programs take behind a path; here they would make another, empty database. */
const PARAMETERS = /\?\w+=|^file:/

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
    const path = text.slice(prefix.length)
    if (FOR_SHELLS.test(path)) return E.left(WHOLE_PATH)
    return PARAMETERS.test(path) ? E.left('must be a path alone, without file: or ?parameters') : parse(text)
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
