import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { databaseExists } from '../compose/database.ts'
import { databaseFailure, MIGRATION_NAMES } from '../compose.ts'
import { onOpened, type Printout, type Work } from './command.ts'

const UP_TO_DATE = 'the schema is up to date'

const listed = (verb: 'applied' | 'pending', names: ReadonlyArray<string>): Printout => ({
  text: names.length === 0 ? UP_TO_DATE : names.map((name) => `${verb} ${name}`).join('\n'),
  json: { [verb]: names },
})

/** `migrate`: applies what is pending. */
export const migrate: Work = onOpened(({ migrator }) =>
  pipe(
    migrator.migrate(),
    TE.bimap(databaseFailure, (names) => listed('applied', names)),
  ),
)

const plan: Work = onOpened(({ migrator }) =>
  pipe(
    migrator.plan(),
    TE.bimap(databaseFailure, ({ pending }) => listed('pending', pending)),
  ),
)

/** `migrate --plan`: what would be applied. Changes nothing, and makes no database where there is none. */
export const planMigration: Work = (settings) =>
  databaseExists(settings) ? plan(settings) : TE.right(listed('pending', MIGRATION_NAMES))
