import { ItemAndLabel, type ItemCore, makeAttachLabel, type Shelf, type Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { DEMO_EDITOR } from './clients.ts'
import { command, mustSucceed, oneByOne, type Seeding } from './seeding.ts'

/** One step of an item's life; it does nothing where the step was taken before. */
export type Step<Item> = (item: Item) => TE.TaskEither<Unavailable, Item>

/** How a piece of content becomes an item of its shelf. */
export interface Planting<Item> {
  readonly create: TE.TaskEither<Unavailable, Item>
  /** Uploads and, last, the move to its state. */
  readonly steps: ReadonlyArray<Step<Item>>
  readonly labels: ReadonlyArray<string>
}

const attach =
  ({ ports }: Seeding, shelf: Shelf, itemId: string) =>
  (labelId: string): TE.TaskEither<Unavailable, unknown> =>
    mustSucceed(makeAttachLabel(ports)(shelf)(DEMO_EDITOR, command(ItemAndLabel, { itemId, labelId })))

/**
 * Brings one piece of content to where it should be, from wherever it is: a seeding that was interrupted goes on where it
 * stopped.
 * @param held the item that an earlier try has made
 */
export const plant = <Item extends ItemCore>(
  seeding: Seeding,
  shelf: Shelf,
  held: Item | undefined,
  { create, steps, labels }: Planting<Item>,
): TE.TaskEither<Unavailable, Item> =>
  pipe(
    steps.reduce(
      (item, step) => TE.flatMap(step)(item),
      held === undefined ? create : TE.right<Unavailable, Item>(held),
    ),
    TE.tap(({ id }) => oneByOne(labels, attach(seeding, shelf, id))),
  )
