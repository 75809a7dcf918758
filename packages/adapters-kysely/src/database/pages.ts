import { setImmediate as nextTurn } from 'node:timers/promises'

/** Rows of a page: few, so that memory stays bounded and others do not wait. */
const PAGE = 50

/**
 * Reads pages one behind the other until one is not full, and lets others have their turn in between.
 * @param read the first `most` rows behind `last`, in their order; undefined is before all of them
 */
export async function* walkPages<Row>(
  read: (last: Row | undefined, most: number) => Promise<ReadonlyArray<Row>>,
): AsyncGenerator<ReadonlyArray<Row>> {
  let last: Row | undefined
  for (;;) {
    const rows = await read(last, PAGE)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1)
    await nextTurn()
  }
}
