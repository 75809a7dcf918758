import { readFile } from 'node:fs/promises'
import {
  type FieldFault,
  type Invalid,
  type LabelsInUse,
  makeLoadLabels,
  type Unavailable,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, messageOf, notAvailable } from '../failure.ts'
import { onDatabase, type Work } from './command.ts'

const readJson = (file: string): TE.TaskEither<Failure, unknown> =>
  TE.tryCatch(
    async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8')),
    (cause) => failed(`${file} cannot be read as JSON: ${messageOf(cause)}`),
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
