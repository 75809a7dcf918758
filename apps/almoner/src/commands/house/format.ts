import { type ImageFile, imageFileOf, imageFilePath } from '@almoner/domain'

/** The entries of archives, by their names. */
export const MANIFEST = 'manifest.json'
export const END = 'end.json'
export const DATABASE = 'database.sqlite'
/** Lists the images that are shown and were missing when the archive was written; absent when there are none. */
export const MISSING = 'missing.json'

/** What an archive is. */
export type Kind = 'export' | 'backup'

/** The form that this program writes, and the only one that it reads. */
export const VERSION = 1

const numbered = (n: number): string => String(n).padStart(6, '0')

/** The n-th part of a table's rows, from 1. */
export const rowsName = (table: string, n: number): string => `rows/${table}-${numbered(n)}.ndjson`

/** The n-th list of digests, from 1. */
export const digestsName = (n: number): string => `digests/${numbered(n)}.sha256`

const IMAGES = 'images/'

/** Where an image lies in an archive. */
export const imageName = (file: ImageFile): string => `${IMAGES}${imageFilePath(file)}`

/** The image that lies under a name; undefined when it is none. */
export const imageOf = (name: string): ImageFile | undefined => {
  if (!name.startsWith(IMAGES)) return undefined
  const parts = name.slice(IMAGES.length).split('/')
  const [file = '', kind = 'upload', portfolio] = parts.reverse()
  if (parts.length === 1) return imageFileOf('upload', file)
  return parts.length === 3 && portfolio === 'portfolio' ? imageFileOf(kind, file) : undefined
}

/** Entries whose digests one list holds. */
export const LISTED = 1000

/** A line of such a list, as `sha256sum --check` reads it. */
export const digestLine = (digest: string, name: string): string => `${digest}  ${name}\n`
