import { type ClientId, type Instant, later, makeRotateSecret } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { jsonOnly, onDatabase, type Work } from '../../cli/command.ts'
import { durationOption } from '../../cli/duration.ts'
import { credentialsDocument } from './document.ts'
import { clientFailure, knownForm } from './known-client.ts'

const rotate = (id: ClientId, kept: O.Option<number>): Work =>
  onDatabase((ports) => {
    const until = O.map((time: number): Instant => later(ports.clock.now(), time))(kept)
    return pipe(
      makeRotateSecret(ports)(id, until),
      TE.bimap(clientFailure(id), (rotated) => jsonOnly(credentialsDocument(rotated))),
    )
  })

/** `client rotate ID [--keep-old TIME]`: a fresh secret; the old ones end now, or after that time (A6). */
export const rotateClient =
  (id: string, { keepOld }: { readonly keepOld?: string }): Work =>
  (settings) =>
    pipe(
      TE.Do,
      TE.bind('known', () => TE.fromEither(knownForm(id))),
      TE.bind('kept', () => TE.fromEither(durationOption('--keep-old', keepOld))),
      TE.flatMap(({ known, kept }) => rotate(known, kept)(settings)),
    )
