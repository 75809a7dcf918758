import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LibraryEdit } from '../../items/library-edits.ts'
import type { ImageRef, MediaName } from '../../media/model.ts'
import type { ImageMissing } from '../../ports/item-store.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { fieldError, type ValidationFailed, validationFailed } from '../../values/parameters.ts'
import { type Unavailable, unavailable } from '../../values/ports.ts'

const storedName = (image: O.Option<ImageRef> | undefined): MediaName | undefined =>
  image !== undefined && O.isSome(image) && image.value.kind === 'stored' ? image.value.name : undefined

/** Refuses every address that names an image of ours which is not there. */
export const rejectMissingImages = (
  knownImages: ContentPorts['knownImages'],
  { cover, notification }: LibraryEdit['images'],
  { name: gone }: ImageMissing,
): TE.TaskEither<ValidationFailed | Unavailable, never> => {
  const fields = { coverImgUrl: storedName(cover), notificationImgUrl: storedName(notification) }
  const named = Object.entries(fields).flatMap(([field, name]) =>
    name === undefined ? [] : [{ field, name }],
  )
  return pipe(
    knownImages.among(named.map(({ name }) => name)),
    TE.flatMap((known): TE.TaskEither<ValidationFailed | Unavailable, never> => {
      const missing = named.filter(({ name }) => name === gone || !known.has(name))
      const [first, ...rest] = missing.map(({ field }) =>
        fieldError(field, 'names no image that was uploaded here'),
      )
      // An image that the request does not name was the item's own and went a moment ago: trying again helps.
      return TE.left(
        first === undefined ? unavailable('an image went meanwhile') : validationFailed([first, ...rest]),
      )
    }),
  )
}
