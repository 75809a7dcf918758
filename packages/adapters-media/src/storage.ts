import type { Unavailable } from '@almoner/domain'
import type { StorageId } from '@almoner/domain/media'
import { unavailable } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The one place where what sharp and the file system throw becomes a value; the caller says what else it may mean. */
export const attempt: <A>(work: () => Promise<A>) => TE.TaskEither<Unavailable, A> = (work) =>
  TE.tryCatch(work, unavailable)

/** The name of the file or object that holds the identity of the storage's database (D6). It is no image's name. */
export const MARKER = '.almoner-identity'

/** Reads the content of a marker; an empty one is none, as a crash may leave it. */
export const markerIn = (content: string): O.Option<StorageId> => {
  const id = content.trim()
  return id === '' ? O.none : O.some(id as StorageId)
}
