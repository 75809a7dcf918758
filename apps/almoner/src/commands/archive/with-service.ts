import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onOpened, type Printout, type Work } from '../../cli/command.ts'
import { failed } from '../../cli/failure.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { databaseExists, databaseFile } from '../../composition/database.ts'
import { type Media, openMedia } from '../../composition/media.ts'
import type { Database } from '../../composition/store.ts'
import { aboutArchive } from './errors.ts'

/** An archive's file, and where progress is shown. */
export interface Target {
  readonly file: string
  readonly terminal: Terminal
}

/** Opens the images, does the work and closes them. */
export const withMedia =
  (target: Target, work: (media: Media) => Promise<Printout>): Work =>
  (settings) =>
    TE.bracket(
      openMedia(settings),
      (media) => aboutArchive(target, () => work(media)),
      ({ close }) =>
        async () =>
          E.right(close()),
    )

/** Runs work on the open database, of any schema, and the image storage, and closes both. */
export const withService =
  (target: Target, work: (database: Database, media: Media) => Promise<Printout>): Work =>
  (settings) =>
    onOpened((database) => withMedia(target, (media) => work(database, media))(settings))(settings)

/** Rejects a database that does not exist, which opening it would create. */
export const ifDatabaseExists =
  (work: Work): Work =>
  (settings) =>
    databaseExists(settings)
      ? work(settings)
      : TE.left(failed('there is no database where ALMONER_DATABASE says: nothing is written'))

const ELSEWHERE =
  'copies a SQLite file and a folder of images, and the settings name something else: use pg_dump for PostgreSQL and the versions of the bucket for images, or almoner export for all of it'

/** Does the work with the path of the database if database and images are files, and fails otherwise. */
export const withSqlitePath =
  (command: string, work: (path: string) => Work): Work =>
  (settings) => {
    const path = databaseFile(settings)
    return settings.media.kind === 'folder' && O.isSome(path)
      ? work(path.value)(settings)
      : TE.left(failed(`${command} ${ELSEWHERE}`))
  }
