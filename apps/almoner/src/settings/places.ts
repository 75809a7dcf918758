import { type PostgresPlace, parsePostgresUrl } from '@almoner/adapters-postgres/url'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Parse } from './setting.ts'

/** Where the database is. */
export type DatabasePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly place: PostgresPlace }

/**
 * A path behind a prefix. Two slashes are refused, because `//data` could mean a host or a folder; `:memory:` is no path and
 * would be gone at the end of a command.
 */
const pathAfter =
  (prefix: string, what: string): Parse<string> =>
  (text) => {
    const rule = `must be ${prefix} and the path of a ${what}, as ${prefix}./data/… or ${prefix}/var/lib/…`
    const path = text.slice(prefix.length)
    const isPath = path.trim() !== '' && !/^\/\/(?!\/)/.test(path) && !path.startsWith(':')
    return text.startsWith(prefix) && isPath ? E.right(path) : E.left(rule)
  }

const file = pathAfter('sqlite:', 'file')

/** The path of the SQLite database, or the address of a PostgreSQL one. */
export const databasePlace: Parse<DatabasePlace> = (text) =>
  /^postgres(?:ql)?:/i.test(text)
    ? pipe(
        parsePostgresUrl(text),
        E.map((place): DatabasePlace => ({ kind: 'postgres', place })),
      )
    : pipe(
        file(text),
        E.bimap(
          (rule) => `${rule}; or postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
          (path): DatabasePlace => ({ kind: 'sqlite', path }),
        ),
      )

/** The path of a folder that holds images. */
export const folderPlace = pathAfter('file:', 'folder')
