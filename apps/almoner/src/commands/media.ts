import {
  makeAdoptStorage,
  makeSweepImages,
  type SweepPorts,
  type SweepStopped,
  type Unavailable,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Printout, type Work } from '../cli/command.ts'
import { type Failure, failed, notAvailable } from '../cli/failure.ts'
import { openMedia } from '../composition/media.ts'
import { sweepStoppedText } from './sweep-text.ts'

/** Opens database and images, works on both and closes them. */
const onImages =
  (work: (ports: SweepPorts) => TE.TaskEither<Failure, Printout>): Work =>
  (settings) =>
    onDatabase((ports) =>
      TE.bracket(
        openMedia(settings),
        (media) => work({ ...ports, ...media }),
        ({ close }) => TE.fromIO(close),
      ),
    )(settings)

const failure = (why: SweepStopped | Unavailable): Failure =>
  why._tag === 'SweepStopped'
    ? failed(sweepStoppedText(why))
    : notAvailable('the database or the image storage')(why)

/** `media sweep [--confirm]`: deletes images that nothing references (D5). A stopped sweep fails with the reason and the fix (D6). */
export const sweepMedia = ({ confirm }: { readonly confirm?: true }): Work =>
  onImages((ports) =>
    pipe(
      makeSweepImages(ports)({ isConfirmed: confirm === true }),
      TE.bimap(failure, ({ uploads, portfolio }) => ({
        text: `${uploads} uploads and ${portfolio} portfolio images deleted`,
        json: { uploads, portfolio },
      })),
    ),
  )

/** `media adopt`: gives the image storage the identity of the database (D6). */
export const adoptMedia: Work = onImages((ports) =>
  pipe(
    makeAdoptStorage(ports)(),
    TE.bimap(failure, () => ({
      text: 'the image storage belongs to this database now',
      json: { adopted: true },
    })),
  ),
)
