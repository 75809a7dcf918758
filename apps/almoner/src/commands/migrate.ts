import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onOpened, type Printout, type Work } from '../cli/command.ts'
import { progressOn, type Terminal } from '../cli/terminal.ts'
import { databaseExists } from '../composition/database.ts'
import { databaseFailure, MIGRATION_NAMES } from '../composition/store.ts'

const UP_TO_DATE = 'the schema is up to date'

const listed = (verb: 'applied' | 'pending', names: ReadonlyArray<string>): Printout => ({
  text: names.length === 0 ? UP_TO_DATE : names.map((name) => `${verb} ${name}`).join('\n'),
  json: { [verb]: names },
})

/** `migrate`: applies what is pending, and shows which step it is at. */
export const migrate = (terminal: Terminal): Work => {
  const progress = progressOn(terminal)
  return onOpened(({ migrator }) => async () => {
    const done = await migrator.migrate((name, number, of) =>
      progress(`applying ${name}, ${number} of ${of}`),
    )()
    progress('')
    return pipe(
      done,
      E.bimap(databaseFailure, (names) => listed('applied', names)),
    )
  })
}

const plan: Work = onOpened(({ migrator }) =>
  pipe(
    migrator.plan(),
    TE.bimap(databaseFailure, ({ pending }) => listed('pending', pending)),
  ),
)

/** `migrate --plan`: what would be applied. Changes nothing, and makes no database where there is none. */
export const planMigration: Work = (settings) =>
  databaseExists(settings) ? plan(settings) : TE.right(listed('pending', MIGRATION_NAMES))
