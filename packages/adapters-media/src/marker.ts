import type { StorageId } from '@almoner/domain/media'
import * as O from 'fp-ts/lib/Option.js'

/** The name of the file or object that holds the identity of the storage's database (D6). It is no image's name. */
export const MARKER = '.almoner-identity'

/** Reads the content of a marker; an empty one is none, as a crash may leave it. */
export const markerIn = (content: string): O.Option<StorageId> => {
  const id = content.trim()
  return id === '' ? O.none : O.some(id as StorageId)
}
