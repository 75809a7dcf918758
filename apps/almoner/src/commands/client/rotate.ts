import { type ClientId, type Instant, later, makeRotateSecret } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, misused } from '../../failure.ts'
import { jsonOnly, onDatabase, type Work } from '../command.ts'
import { credentialsDocument } from './document.ts'
import { clientFailure, knownForm } from './known-client.ts'

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const
const LONGEST = 365 * SECONDS.d

/** A duration as `90s`, `30m`, `24h` or `7d`, in milliseconds. */
const duration = (text: string): E.Either<Failure, number> => {
  const [, count, unit = ''] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS]
  return seconds <= LONGEST
    ? E.right(seconds * 1000)
    : E.left(misused('--keep-old must be a time such as 90s, 30m, 24h or 7d, at most 365d'))
}

const keep = (old: string | undefined): E.Either<Failure, O.Option<number>> =>
  old === undefined ? E.right(O.none) : E.map(O.some<number>)(duration(old))

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
      TE.bind('kept', () => TE.fromEither(keep(keepOld))),
      TE.flatMap(({ known, kept }) => rotate(known, kept)(settings)),
    )
