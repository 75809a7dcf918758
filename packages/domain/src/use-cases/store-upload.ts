import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, confirmRights, type RightsEnded } from '../access/caller.ts'
import type { ImageFault, ImageRule, StoredImage } from '../media/model.ts'
import type { ContentPorts } from '../ports/of-content.ts'
import type { Unavailable } from '../values/ports.ts'
import { discard } from './change-item.ts'

type Needs = 'imageChecker' | 'mediaStore' | 'secrets'

/**
 * Checks an upload, stores it under a fresh name and hands it to `keep`, which makes an item point to it. Checking and storing wait their turn,
 * so the caller's rights are looked up again before `keep` (A9). When `keep` fails the file goes again, unless an item may point to it all the same (I5): that, and a crash before `keep` is done, leaves an orphan for
 * the sweep, never a broken link (D5).
 */
export const storeUpload = <E extends { readonly _tag: string }, A>(
  ports: Pick<ContentPorts, Needs>,
  caller: Caller,
  bytes: Uint8Array,
  rule: ImageRule,
  keep: (image: StoredImage) => TE.TaskEither<E, A>,
): TE.TaskEither<E | ImageFault | RightsEnded | Unavailable, A> =>
  pipe(
    ports.imageChecker.check(bytes, rule),
    TE.bindTo('checked'),
    TE.let('name', ({ checked }) => ports.secrets.mintMediaName(checked.type)),
    TE.tap(({ name, checked }) => ports.mediaStore.put(name, checked)),
    TE.flatMap(
      ({ name, checked }): TE.TaskEither<E | ImageFault | RightsEnded | Unavailable, A> =>
        pipe(
          confirmRights(caller),
          TE.flatMap(
            (): TE.TaskEither<E | RightsEnded | Unavailable, A> =>
              keep({ name, type: checked.type, bytes: checked.bytes.byteLength }),
          ),
          TE.tapError(({ _tag }) => discard(ports.mediaStore, _tag === 'OutcomeUnknown' ? [] : [name])),
        ),
    ),
  )
