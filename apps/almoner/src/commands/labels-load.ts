import {
  type FieldFault,
  type Invalid,
  type LabelsInUse,
  makeLoadLabels,
  type Unavailable,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Work } from '../cli/command.ts'
import { type Failure, failed, messageOf, notAvailable } from '../cli/failure.ts'
import { readText } from './read-file.ts'

const readJson = (file: string): TE.TaskEither<Failure, unknown> =>
  pipe(
    () => readText(file),
    TE.mapLeft((why) => failed(`${file}: ${why}`)),
    TE.flatMapEither((text) =>
      E.tryCatch(
        (): unknown => JSON.parse(text),
        (cause) => failed(`${file} cannot be read as JSON: ${messageOf(cause)}`),
      ),
    ),
  )

const inFile =
  (file: string) =>
  ({ field, message }: FieldFault): string =>
    `${file}: ${field} ${message}`

const whyNot =
  (file: string) =>
  (fault: Invalid | LabelsInUse | Unavailable): Failure => {
    switch (fault._tag) {
      case 'Invalid': {
        const [first, ...rest] = fault.faults
        return failed(inFile(file)(first), ...rest.map(inFile(file)))
      }
      case 'LabelsInUse':
        return failed(`${file} lacks labels that items carry: ${fault.labelIds.join(', ')}`)
      case 'Unavailable':
      case 'OutcomeUnknown':
        return notAvailable('the database')(fault)
    }
  }

const load = (file: string, content: unknown): Work =>
  onDatabase((ports) =>
    pipe(
      makeLoadLabels(ports)(content),
      TE.bimap(whyNot(file), (labels) => ({ text: `${labels} labels`, json: { labels } })),
    ),
  )

/** `labels load FILE`: the set of labels becomes that of the file, or every bad row is named and nothing changes (E1). */
export const loadLabels =
  (file: string): Work =>
  (settings) =>
    pipe(
      readJson(file),
      TE.flatMap((content) => load(file, content)(settings)),
    )
