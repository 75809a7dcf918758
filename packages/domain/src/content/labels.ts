import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ActedBy, Receipt, TimedAct } from '../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import type { ContentType } from '../history/model.ts'
import { ItemId, LabelId } from '../values/ids.ts'
import {
  decode,
  type FieldError,
  fieldError,
  parameters,
  type RawParameters,
  type ValidationFailed,
  validationFailed,
} from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { LabelName } from '../values/text.ts'
import type { ItemNotFound, Label, LabelNotFound, LabelsInUse, LeftTopics } from './model.ts'
import type { ContentPorts } from './ports.ts'
import { isVisible, type VisibilityPolicy, type Visible, visibilityFor } from './rules.ts'

/** Parameters of POST /library/<itemId>/label, DELETE /library/<itemId>/label/<labelId> and the like. */
export const ItemAndLabel = parameters({
  name: 'ItemAndLabel',
  required: { itemId: ItemId, labelId: LabelId },
  optional: {},
})
export type ItemAndLabel = typeof ItemAndLabel._A

/** Attaches a label to an item; twice is the same as once (E2). The item's revision stays (C10). */
export const makeAttachLabel =
  (ports: Pick<ContentPorts, 'labels' | 'clock'>) =>
  (contentType: ContentType) =>
  (
    caller: Caller,
    { itemId, labelId }: ItemAndLabel,
    receipt?: Receipt<Label>,
  ): TE.TaskEither<InsufficientScope | ItemNotFound | LabelNotFound | Unavailable, Label> =>
    permitted(
      'attachLabel',
      caller,
    )(() => {
      const act: TimedAct = { actor: caller.actor, action: 'attach-label', at: ports.clock.now() }
      return ports.labels.attach(contentType, itemId, labelId, receipt, act)
    })

/** Detaches a label; one that the item does not carry is not found (E2). */
export const makeDetachLabel =
  (ports: Pick<ContentPorts, 'labels' | 'clock'>) =>
  (contentType: ContentType) =>
  (
    caller: Caller,
    { itemId, labelId }: ItemAndLabel,
  ): TE.TaskEither<InsufficientScope | ItemNotFound | LabelNotFound | Unavailable, void> =>
    permitted(
      'detachLabel',
      caller,
    )(() => {
      const act: TimedAct = { actor: caller.actor, action: 'detach-label', at: ports.clock.now() }
      return ports.labels.detach(contentType, itemId, labelId, act)
    })

/** Parameters of GET /library/label, /library/<itemId>/label and the like. */
export const ListLabels = parameters({
  name: 'ListLabels',
  required: {},
  optional: { itemId: ItemId, labelId: LabelId },
})
export type ListLabels = typeof ListLabels._A

type ListLabelsNeeds = 'labels' | 'libraryItems' | 'feedItems' | 'clock'

const findOn = (
  ports: Pick<ContentPorts, ListLabelsNeeds>,
  contentType: ContentType,
  id: ItemId,
): TE.TaskEither<Unavailable, O.Option<Visible>> =>
  contentType === 'library' ? ports.libraryItems.find(id) : ports.feedItems.find(id)

/**
 * Returns all labels, or those of an item that the caller may see; with `labelId` only that label. Unknown and hidden items have none (E2).
 */
export const makeListLabels =
  (ports: Pick<ContentPorts, ListLabelsNeeds>, policy: VisibilityPolicy) =>
  (contentType: ContentType) =>
  (
    caller: Caller,
    { itemId, labelId }: ListLabels,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<Label>> =>
    permitted(
      'listLabels',
      caller,
    )(() => {
      const isItemVisible = isVisible(visibilityFor(policy, ports.clock, caller))
      const ofItem = (id: ItemId) =>
        pipe(
          findOn(ports, contentType, id),
          TE.flatMap((item) =>
            O.isSome(item) && isItemVisible(item.value) ? ports.labels.ofItem(contentType, id) : TE.right([]),
          ),
        )
      return pipe(
        itemId === undefined ? ports.labels.all() : ofItem(itemId),
        TE.map((labels) => labels.filter((label) => labelId === undefined || label.labelId === labelId)),
      )
    })

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

/** What a load of labels did: how many there are, and what it took from the preferences of people (F6). */
export interface LoadedLabels extends LeftTopics {
  readonly labels: number
}

/**
 * Makes the set of labels that of the file, in its order (E1).
 * @param by under whose name a change is recorded (K1)
 */
export const makeLoadLabels =
  (ports: Pick<ContentPorts, 'labels'>) =>
  (file: unknown, by?: ActedBy): TE.TaskEither<ValidationFailed | LabelsInUse | Unavailable, LoadedLabels> =>
    pipe(
      TE.fromEither(readLabels(file)),
      TE.flatMap(
        (labels): TE.TaskEither<ValidationFailed | LabelsInUse | Unavailable, LoadedLabels> =>
          pipe(
            ports.labels.replaceAll(labels, by && { ...by, action: 'load-labels' }),
            TE.map((left) => ({ labels: labels.length, ...left })),
          ),
      ),
    )
