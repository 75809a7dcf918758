import type { StorageIdentity } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Tables } from './tables.ts'

/** Keeps the identity of the image storage in memory (D6). */
export const memoryStorageIdentity = ({ storage }: Tables): StorageIdentity => ({
  find: () => TE.fromIO(() => storage.id),
  establish: (id) =>
    TE.fromIO(() => {
      const established = O.isSome(storage.id) ? storage.id.value : id
      storage.id = O.some(established)
      return established
    }),
  recordSweep: (refusal) =>
    TE.fromIO(() => {
      storage.refusal = refusal
    }),
  lastRefusal: () => TE.fromIO(() => storage.refusal),
})
