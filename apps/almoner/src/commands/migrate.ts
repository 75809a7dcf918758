import type { Command, CommandOutput } from '../cli/command.ts'
import { databaseFailure, MIGRATION_NAMES } from '../composition/database.ts'
import { orFail } from '../failure.ts'

const listed = (verb: 'applied' | 'pending', names: ReadonlyArray<string>): CommandOutput => ({
  text: names.length === 0 ? 'the schema is up to date' : names.map((name) => `${verb} ${name}`).join('\n'),
  json: { [verb]: names },
})

/** `migrate [--plan]`: applies pending migrations, or only lists them, and then creates no database. */
export const migrate: Command<{ readonly plan?: true }> = {
  usage: 'migrate',
  summary: "bring the database's schema up to date",
  options: [['--plan', 'only list the pending migrations']],
  async run({ options, service, progress }) {
    if (options.plan && !service.databaseExists()) return listed('pending', MIGRATION_NAMES)
    const { migrator } = await service.database()
    if (options.plan) return listed('pending', (await orFail(migrator.plan(), databaseFailure)).pending)
    const migration = migrator.migrate(
      (name, number, of) => progress(`applying ${name}, ${number} of ${of}`),
      () => progress('waiting for another process to migrate the database'),
    )
    return listed('applied', await orFail(migration, databaseFailure))
  },
}
