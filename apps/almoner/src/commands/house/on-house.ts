import { type House, UnavailableError } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { databaseExists } from '../../compose/database.ts'
import { type Media, openMedia } from '../../compose/media.ts'
import { type Database, databaseFailure } from '../../compose.ts'
import { type Failure, failed, messageOf, notAvailable } from '../../failure.ts'
import { onOpened, type Printout, type Work } from '../command.ts'
import { ArchiveFault } from './archive-fault.ts'

/** What moves: the database and its images. */
export interface Belongings {
  readonly house: House
  readonly media: Media
}

/** Opens the images, works on them and closes them whatever happens. */
export const onMedia =
  (work: (media: Media) => TE.TaskEither<Failure, Printout>): Work =>
  (settings) =>
    TE.bracket(
      openMedia(settings),
      work,
      ({ close }) =>
        async () =>
          E.right(close()),
    )

/** Opens both, and brings an empty database up to date or refuses an older one. */
export const onHouse =
  (work: (belongings: Belongings) => TE.TaskEither<Failure, Printout>): Work =>
  (settings) =>
    onOpened(({ migrator, house }: Database) =>
      pipe(
        migrator.ensureCurrent(),
        TE.mapLeft(databaseFailure),
        TE.flatMap(() => onMedia((media) => work({ house, media }))(settings)),
      ),
    )(settings)

/** Does what an archive, a disk or the database may cut short; a fault becomes a line about the file. */
export const aboutFile = <A>(file: string, work: () => Promise<A>): TE.TaskEither<Failure, A> =>
  TE.tryCatch(work, (cause) => {
    if (cause instanceof UnavailableError) return notAvailable('the database')(cause)
    if (cause instanceof ArchiveFault) return failed(`${file} ${cause.message}`)
    if (cause instanceof Error && 'code' in cause) return failed(`${file}: ${messageOf(cause)}`)
    throw cause
  })

/** Refuses to look for anything in a database that is not there, which opening it would make. */
export const unlessNothing =
  (work: Work): Work =>
  (settings) =>
    databaseExists(settings)
      ? work(settings)
      : TE.left(failed('there is no database where ALMONER_DATABASE says: nothing is written'))
