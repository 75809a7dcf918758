import { makeImportUsers, type User, type Users } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Printout, type Work } from '../../cli/command.ts'
import { type Failure, failed, notAvailable } from '../../cli/failure.ts'
import { progressOn, type Terminal } from '../../cli/terminal.ts'
import { type CsvFile, readCsv } from '../csv.ts'
import { readText } from '../read-file.ts'
import { headFaults } from './head.ts'
import { readRows } from './rows.ts'

/** Rows between two signs of progress. */
const STEP = 1000

const NO_HEAD = { line: 1, cells: [] }

/** The users of a file, or Failed with a line for everything that is wrong with it, from top to bottom (F2). */
const readContent = (
  name: string,
  { head, rows, faults }: CsvFile,
): E.Either<Failure, ReadonlyArray<User>> => {
  const { users, faults: bad } = readRows(head?.cells ?? [], rows)
  // A head that cannot be read is told already.
  const first = head === undefined && faults.length > 0 ? [] : headFaults(head ?? NO_HEAD)
  const [line, ...lines] = [...first, ...faults, ...bad]
    .toSorted((a, b) => a.line - b.line)
    .map((fault) => `${name}:${fault.line}: ${fault.message}`)
  // Not as arguments: there may be more lines than a call can have.
  return line === undefined ? E.right(users) : E.left({ _tag: 'Failed', lines: [line, ...lines] })
}

const write = (users: Users, all: ReadonlyArray<User>): TE.TaskEither<Failure, Printout> =>
  pipe(
    makeImportUsers({ users })(all),
    TE.bimap(notAvailable('the database'), (count) => ({ text: `${count} users`, json: { users: count } })),
  )

const read = (file: string, told: (rows: number) => void): TE.TaskEither<Failure, ReadonlyArray<User>> =>
  pipe(
    () => readText(file),
    TE.mapLeft((why) => failed(`${file}: ${why}`)),
    TE.flatMapEither((text) => readContent(file, readCsv(text, told))),
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
      TE.tapIO((all) => () => progress(`${all.length} users being written`)),
      TE.flatMap((all) => onDatabase(({ users }) => write(users, all))(settings)),
    )
    return async () => {
      const done = await imported()
      progress('')
      return done
    }
  }
