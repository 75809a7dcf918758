import type { Store } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Database, databaseFailure, nodePorts, openDatabase } from '../composition/store.ts'
import type { Settings } from '../config/definitions.ts'
import type { Failure } from './failure.ts'

/** A command has printed what it has to say while it worked. */
export const PRINTED = 'printed'

/** What a command has to say: the same for a person and, with `--json`, for a program. */
export type Printout =
  | {
      readonly text: string
      readonly json: unknown
      /** What could not be done although the rest was; it decides the exit code. */
      readonly failure?: Failure | undefined
    }
  | typeof PRINTED

/** A printout that is the same JSON for both. */
export const jsonOnly = (json: unknown): Printout => ({ text: JSON.stringify(json), json })

/** A command's work, once its arguments are read. */
export type Work = (settings: Settings) => TE.TaskEither<Failure, Printout>

/** The ports that a command works with. */
export type CommandPorts = Store & ReturnType<typeof nodePorts>

/** Opens the database, whatever its schema, works on it and closes it whatever happens. */
export const onOpened =
  (work: (database: Database) => TE.TaskEither<Failure, Printout>): Work =>
  (settings) =>
    TE.bracket(
      openDatabase(settings),
      work,
      ({ close }) =>
        async () =>
          E.right(await close()),
    )

/** Brings an empty database up to date, refuses an older one by naming `almoner migrate`, and does the work. */
export const onDatabase = (work: (ports: CommandPorts) => TE.TaskEither<Failure, Printout>): Work =>
  onOpened(({ migrator, store, clock }) =>
    pipe(
      migrator.ensureCurrent(),
      TE.mapLeft(databaseFailure),
      TE.flatMap(() => work({ ...nodePorts(clock), ...store })),
    ),
  )
