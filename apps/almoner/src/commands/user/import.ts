import { readFile } from 'node:fs/promises'
import { makeImportUsers, type RawParameters, type Users } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, messageOf, notAvailable } from '../../failure.ts'
import { progressOn, type Terminal } from '../../terminal.ts'
import { onDatabase, type Printout, type Work } from '../command.ts'
import { type CsvFault, type CsvRow, readCsv } from '../csv.ts'
import { readHead } from './head.ts'
import { readRows } from './rows.ts'

/** Rows between two signs of progress. */
const STEP = 1000

/** The file's text, without the mark that some programs put before it. */
const readText = (file: string): TE.TaskEither<Failure, string> =>
  TE.tryCatch(
    async () => new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)),
    (cause) => failed(`${file} cannot be read as UTF-8: ${messageOf(cause)}`),
  )

const unreadable = ({ file, line, message }: CsvFault): Failure => failed(`${file}:${line}: ${message}`)

const readContent = (
  file: string,
  [head, ...rows]: ReadonlyArray<CsvRow>,
): E.Either<Failure, ReadonlyArray<RawParameters>> =>
  pipe(
    readHead(file, head),
    E.flatMap((columns) => readRows(file, columns, rows)),
  )

const write = (users: Users, rows: ReadonlyArray<RawParameters>): TE.TaskEither<Failure, Printout> =>
  pipe(
    makeImportUsers({ users })(rows),
    TE.bimap(
      (fault) => {
        // The rows have been read by the same rule already.
        if (fault._tag === 'BadRows') throw new Error('rows that were right are bad')
        return notAvailable('the database')(fault)
      },
      (count) => ({ text: `${count} users`, json: { users: count } }),
    ),
  )

const read = (
  file: string,
  told: (rows: number) => void,
): TE.TaskEither<Failure, ReadonlyArray<RawParameters>> =>
  pipe(
    readText(file),
    TE.flatMapEither((text) => E.mapLeft(unreadable)(readCsv({ name: file, text }, told))),
    TE.flatMapEither((rows) => readContent(file, rows)),
  )

/**
 * `user import FILE.csv`: makes or replaces the users that the file describes, or names everything that is wrong with it, and then
 * nothing changes (F2).
 */
export const importUsers =
  (file: string, terminal: Terminal): Work =>
  (settings) => {
    const progress = progressOn(terminal)
    const told = (count: number) => {
      if (count % STEP === 0) progress(`${count} rows read`)
    }
    const imported = pipe(
      read(file, told),
      TE.tapIO((rows) => () => progress(`${rows.length} users being written`)),
      TE.flatMap((rows) => onDatabase(({ users }) => write(users, rows))(settings)),
    )
    return async () => {
      const done = await imported()
      progress('')
      return done
    }
  }
