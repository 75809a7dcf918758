import * as E from 'fp-ts/lib/Either.js'
import { type Parse, type PostgresPlace, parsePostgresUrl, pathFault, rule } from '../composition/node.ts'
import { baseOf } from './network.ts'

/** Where the database is. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly place: PostgresPlace }

/** A path behind a prefix. Rejects two slashes, because `//data` could mean a host or a folder, and `:memory:`, which is no path. */
const pathAfter = <A>(prefix: string, what: string, others: string, make: (path: string) => A): Parse<A> => {
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

/** The address of the server of a database. */
export const serverPlace: Parse<PostgresPlace> = (text, environment = {}) =>
  parsePostgresUrl(text, environment)

/** Addresses of standbys. Within one of them, a comma is followed by another host. */
export const standbyPlaces: Parse<ReadonlyArray<PostgresPlace>> = (text, environment) =>
  text === 'none'
    ? E.right([])
    : E.traverseArray((part: string) => serverPlace(part.trim(), environment))(
        text.split(/,(?=\s*postgres(?:ql)?:)/i),
      )

/** Where images are stored. */
type MediaLocation =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3'
      readonly bucket: string
      /** What all keys begin with, without slashes around it. */
      readonly prefix: string
      /** The URL of a store that is not AWS's. */
      readonly endpoint: string | undefined
      readonly region: string | undefined
    }

/** How stored images reach their readers. */
export type MediaServing =
  /** Through the service. */
  | { readonly kind: 'proxy' }
  /** By addresses that are signed for a few minutes. */
  | { readonly kind: 'signed' }
  /** By addresses below a public one, which has no slash at its end. */
  | { readonly kind: 'public'; readonly url: string }

/** Stores other than AWS have upper case, underscores and tenants in names of buckets (D10). */
const S3 = /^s3:\/\/((?!\.\.?(?:[/?]|$))[\w.:$-]{1,255})(?:\/([^?#]*))?(?:\?([^#]*))?$/
/** Names that are the same in a URL, in a key and in a file, none of which is `.` or `..`. */
const PREFIX = /^(?:(?!\.\.?\/)[\w.-]+\/)*$/
/** A label of a host name, which regions of AWS are part of. */
const REGION = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/

const S3_FORM = 's3://BUCKET/PREFIX, with ?endpoint= an http or https URL and &region= where they are needed'

const bucket: Parse<MediaLocation> = rule(`must be ${S3_FORM}`, (text) => {
  const [, bucket, path = '', query] = S3.exec(text) ?? []
  const prefix = path.replace(/\/$/, '')
  if (bucket === undefined || !PREFIX.test(prefix === '' ? '' : `${prefix}/`)) return undefined
  const options = new URLSearchParams(query)
  const { endpoint, region, ...unknown } = Object.fromEntries(options) as Record<string, string | undefined>
  const origin = endpoint === undefined ? undefined : baseOf(endpoint)
  const isValid =
    Object.keys(unknown).length === 0 &&
    options.size === new Set(options.keys()).size &&
    (endpoint === undefined || origin !== undefined) &&
    (region === undefined || REGION.test(region))
  return isValid ? { kind: 's3', bucket, prefix, region, endpoint: origin } : undefined
})

const folder = pathAfter('file:', 'folder', S3_FORM, (path): MediaLocation => ({ kind: 'folder', path }))

/** A folder or a bucket. */
export const mediaLocation: Parse<MediaLocation> = (text) =>
  /^s3:/i.test(text) ? bucket(text) : folder(text)

/** `proxy`, `signed`, or `public:` and a URL. */
export const mediaServing: Parse<MediaServing> = rule(
  'must be proxy, signed, or public: and an http or https URL without query, fragment or credentials',
  (text) => {
    if (text === 'proxy' || text === 'signed') return { kind: text }
    const url = text.startsWith('public:') ? baseOf(text.slice('public:'.length)) : undefined
    return url === undefined ? undefined : { kind: 'public', url }
  },
)
