import {
  brakeOn,
  makeCountOrphans,
  makeMatchStorage,
  type SweepPorts,
  type SweepRefusal,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { openMedia } from '../../composition/media.ts'
import { nodePorts } from '../../composition/store.ts'
import { fixForSweep, whySweepStops } from '../sweep-text.ts'
import { type Check, type Found, fault, ok } from './finding.ts'
import { onCurrent } from './opened.ts'
import { isThere } from './places.ts'

/** Tells why the next sweep would stop, without changing anything (D6). */
const refusalOf = (ports: SweepPorts) =>
  pipe(
    makeMatchStorage(ports)(),
    TE.flatMap((match) =>
      match === 'other'
        ? TE.right(O.some<SweepRefusal>('other-storage'))
        : pipe(makeCountOrphans(ports)(), TE.map(brakeOn)),
    ),
  )

const inWords = (refusal: O.Option<SweepRefusal>): Found =>
  O.isNone(refusal)
    ? ok('database and image storage belong together')
    : fault(`unused images are not deleted: ${whySweepStops(refusal.value)}`, fixForSweep(refusal.value))

/** Checks that the image storage is this database's and that no brake stops the sweep. Other checks tell what cannot be opened. */
export const sweepCheck: Check = {
  name: 'images',
  look: onCurrent(async ({ store, clock }, settings) => {
    const { media } = settings
    if (media.kind === 'folder' && !(await isThere(media.path))) return []
    const opened = await openMedia(settings)()
    if (E.isLeft(opened)) return []
    const { close, ...storage } = opened.right
    try {
      const refusal = await refusalOf({ ...nodePorts(clock), ...store, ...storage })()
      if (E.isLeft(refusal)) throw refusal.left.cause
      return [inWords(refusal.right)]
    } finally {
      close()
    }
  }),
}
