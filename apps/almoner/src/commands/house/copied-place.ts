import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { databaseFile } from '../../compose/database.ts'
import { type Failure, failed } from '../../failure.ts'
import type { Settings } from '../../settings/definitions.ts'

/** Why a command that copies files has nothing to do where they are not ours to copy. */
const ELSEWHERE =
  'copies a SQLite file and a folder of images, and the settings name something else: use pg_dump for PostgreSQL and the versions of the bucket for images, or almoner export for all of it'

/** The file of the database, when database and images both lie in files. */
export const copiedPlace = (settings: Settings, command: string): E.Either<Failure, string> => {
  const file = databaseFile(settings)
  return settings.media.kind === 'folder' && O.isSome(file)
    ? E.right(file.value)
    : E.left(failed(`${command} ${ELSEWHERE}`))
}
