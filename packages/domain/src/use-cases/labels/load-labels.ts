import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ActedBy } from '../../access/acts.ts'
import type { Label, LabelsInUse } from '../../labels/label.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { LabelId } from '../../values/ids.ts'
import {
  decode,
  type FieldError,
  fieldError,
  parameters,
  type RawParameters,
  type ValidationFailed,
  validationFailed,
} from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { LabelName } from '../../values/text.ts'

/** In a path these are steps, so that no request could name a label that is called so, nor detach it (E2). */
const STEPS: ReadonlyArray<unknown> = ['.', '..']

/** One label of the file. */
const LabelRow = parameters({
  name: 'LabelRow',
  required: { labelId: LabelId, en: LabelName, fr: LabelName },
  optional: {},
  conditions: [
    {
      field: 'labelId',
      message: 'must not be . or ..',
      unmet: ({ labelId }) => STEPS.includes(labelId),
    },
  ],
})

const isRow = (row: unknown): row is RawParameters =>
  typeof row === 'object' && row !== null && !Array.isArray(row)

const readRow = (row: unknown): E.Either<ValidationFailed, Label> =>
  isRow(row)
    ? decode(LabelRow)(row)
    : E.left(validationFailed([fieldError('', 'must be an object with labelId, en and fr')]))

const rowFaults = (row: E.Either<ValidationFailed, Label>, at: number): ReadonlyArray<FieldError> =>
  E.isRight(row)
    ? []
    : row.left.errors.map(({ field, message }) =>
        fieldError(field === '' ? `[${at}]` : `[${at}].${field}`, message),
      )

const repeated = (rows: ReadonlyArray<E.Either<ValidationFailed, Label>>): ReadonlyArray<FieldError> => {
  const seen = new Set<LabelId>()
  return rows.flatMap((row, at) => {
    if (E.isLeft(row)) return []
    const id = row.right.labelId
    if (seen.has(id)) return [fieldError(`[${at}].labelId`, `repeats ${id}: keep one of the two`)]
    seen.add(id)
    return []
  })
}

/** The labels that a parsed file holds, or every fault by the row's place, from 0 (E1). */
export const readLabels = (file: unknown): E.Either<ValidationFailed, ReadonlyArray<Label>> => {
  if (!Array.isArray(file))
    return E.left(validationFailed([fieldError('file', 'must be an array of labels')]))
  const rows = file.map(readRow)
  const [first, ...rest] = [...rows.flatMap(rowFaults), ...repeated(rows)]
  return first === undefined
    ? E.right(rows.flatMap((row) => (E.isRight(row) ? [row.right] : [])))
    : E.left(validationFailed([first, ...rest]))
}

/**
 * Makes the set of labels that of the file, in its order (E1). Gives how many there are.
 * @param by under whose name a change is recorded (K1)
 */
export const makeLoadLabels =
  (ports: Pick<ContentPorts, 'labels'>) =>
  (file: unknown, by?: ActedBy): TE.TaskEither<ValidationFailed | LabelsInUse | Unavailable, number> =>
    pipe(
      TE.fromEither(readLabels(file)),
      TE.flatMap(
        (labels): TE.TaskEither<ValidationFailed | LabelsInUse | Unavailable, number> =>
          pipe(
            ports.labels.replaceAll(labels, by && { ...by, action: 'load-labels' }),
            TE.map(() => labels.length),
          ),
      ),
    )
