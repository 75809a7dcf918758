import * as E from 'fp-ts/lib/Either.js'
import type { Parse } from './setting.ts'

/** What a place may begin with that a later store could serve and this build cannot. */
type Elsewhere = ReadonlyArray<{ readonly begins: RegExp; readonly lacks: string }>

const POSTGRES: Elsewhere = [{ begins: /^postgres(?:ql)?:/i, lacks: 'PostgreSQL store' }]
const S3: Elsewhere = [{ begins: /^s3:/i, lacks: 'S3 storage' }]

/**
 * A path behind a prefix. Two slashes are refused, because `//data` could mean a host or a folder; `:memory:` is no path and
 * would be gone at the end of a command.
 */
const pathAfter =
  (prefix: string, what: string, elsewhere: Elsewhere): Parse<string> =>
  (text) => {
    const rule = `must be ${prefix} and the path of a ${what}, as ${prefix}./data/… or ${prefix}/var/lib/…`
    const absent = elsewhere.find(({ begins }) => begins.test(text))
    if (absent !== undefined) return E.left(`${rule}; this build has no ${absent.lacks}`)
    const path = text.slice(prefix.length)
    const isPath = path.trim() !== '' && !/^\/\/(?!\/)/.test(path) && !path.startsWith(':')
    return text.startsWith(prefix) && isPath ? E.right(path) : E.left(rule)
  }

/** The path of the SQLite database. */
export const databasePlace = pathAfter('sqlite:', 'file', POSTGRES)

/** The path of the folder that holds images. */
export const mediaPlace = pathAfter('file:', 'folder', S3)
