import { type ImageFile, imageFileOf, imageFilePath } from '@almoner/domain/ports'

/** The version of the format that is written, and the only one that is read. */
export const VERSION = 1

/** The names of an archive's entries: first the manifest, at last the end; lists of digests between the others. */
export const MANIFEST = 'manifest.json'
/** The entry with the database of a backup. */
export const DATABASE = 'database.sqlite'
/** The last entry of an archive. */
export const END = 'end.json'
/** Lists the images that rows show and that were missing when the archive was written; absent when there are none. */
export const MISSING = 'missing.json'

const numbered = (n: number): string => String(n).padStart(6, '0')

/** The name of the n-th part of a table's rows, from 1. */
export const rowsName = (table: string, n: number): string => `rows/${table}-${numbered(n)}.ndjson`

/** Returns the table and the number of a part of its rows; undefined when a name is none of a part. */
export const rowsOfName = (name: string): { readonly table: string; readonly part: number } | undefined => {
  const [, table, part] = /^rows\/(\w+)-(\d{6,})\.ndjson$/.exec(name) ?? []
  return table === undefined ? undefined : { table, part: Number(part) }
}

const IMAGES = 'images/'

/** The name of an image's entry. */
export const imageName = (file: ImageFile): string => `${IMAGES}${imageFilePath(file)}`

/** Returns the image of an entry; undefined when it is none. */
export const imageOfName = (name: string): ImageFile | undefined => {
  if (!name.startsWith(IMAGES)) return undefined
  const parts = name.slice(IMAGES.length).split('/')
  const [file = '', kind = 'upload', portfolio] = parts.reverse()
  if (parts.length === 1) return imageFileOf('upload', file)
  return parts.length === 3 && portfolio === 'portfolio' ? imageFileOf(kind, file) : undefined
}

/** The number of entries whose digests one list holds. */
export const LIST_SIZE = 1000

/** The name of the n-th list of digests, from 1. */
export const digestsName = (n: number): string => `digests/${numbered(n)}.sha256`

/** A line of such a list, as `sha256sum --check` reads it. */
export const digestLine = (digest: string, name: string): string => `${digest}  ${name}\n`

/** The content of the last entry: the number of the others but the lists, and the digest of all lists. */
export const endBytes = (entries: number, digests: string): Buffer =>
  Buffer.from(`${JSON.stringify({ entries, digests })}\n`)
