import { comparePlaces } from '@almoner/domain'
import { type Condition, condition } from '../conditions.ts'
import type { Bounds } from '../items/rows.ts'
import type { Start } from '../items/start.ts'
import { type Block, type PlaceIndex, startAt } from './place-index.ts'

/** Where to read the rows of a rank. */
export interface Located<K extends string | number> {
  readonly start: Start<K>
  readonly bounds: Pick<Bounds<K>, 'offset' | 'counted'>
}

/** The block in which a start lies, and the condition on what of the block is ahead of it. */
const blockOf = <K extends string | number>(
  index: PlaceIndex<K>,
  key: string,
  start: Exclude<Start<K>, { readonly kind: 'top' }>,
): readonly [block: Block<K>, passed: Condition] => {
  if (start.kind === 'key')
    return [index.lastBlock((bound) => bound.key > start.key), condition(`${key} > ?`, start.key)]
  const { place } = start
  const sign = start.kind === 'at' ? '>' : '>='
  return [
    index.lastBlock((bound) => comparePlaces(bound, place) <= 0),
    condition(`(${key}, id) ${sign} (?, ?)`, place.key, place.id),
  ]
}

/** Where the rows begin that lie so many behind a start, as an index of the column `key` and the id has it. */
export const locate = <K extends string | number>(
  index: PlaceIndex<K>,
  key: string,
  start: Start<K>,
  offset: number,
): Located<K> => {
  if (start.kind === 'top') {
    const { bound, ahead } = index.atRank(offset)
    return { start: startAt(bound), bounds: { offset: offset - ahead } }
  }
  // How many of its block are ahead of the start, only the database knows; where the rest begins, that does not change.
  const [block, passed] = blockOf(index, key, start)
  const { bound, ahead } = index.atRank(block.ahead + offset)
  return {
    start: startAt(bound),
    bounds: {
      offset: block.ahead + offset - ahead,
      counted: { start: startAt(block.bound), most: block.count, passed },
    },
  }
}
