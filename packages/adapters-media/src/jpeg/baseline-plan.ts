import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Component, Frame } from './frame.ts'
import { type Definitions, type HuffmanTable, tableOf } from './huffman.ts'
import { type ScanComponent, scanComponents } from './scan-header.ts'
import type { Segment } from './segments.ts'

/** A scan that holds all components of a baseline frame, with what it takes to read it. */
export interface BaselineScan {
  readonly frame: Frame
  readonly segment: Segment
  readonly definitions: Definitions
  /** Units between restart markers; 0 when there are none. */
  readonly restartAfter: number
}

/** The tables by which a block's first coefficient and the others are coded. */
export interface BlockTables {
  readonly first: HuffmanTable
  readonly others: HuffmanTable
}

/** The blocks that one unit of the scan is made of, and how many units there are. */
export interface Plan {
  readonly blocks: ReadonlyArray<BlockTables>
  readonly units: number
}

/** Pixels of a block's side. */
const SIDE = 8
/** Class bit of the tables for all coefficients but the first. */
const OTHERS = 0x10

const tablesOf = (definitions: Definitions, { first, others }: ScanComponent): O.Option<BlockTables> =>
  pipe(
    O.Do,
    O.bind('first', () => tableOf(definitions, first)),
    O.bind('others', () => tableOf(definitions, others | OTHERS)),
  )

/** A component that is alone in its frame is read block by block, whatever its factors say. */
const factorsOf = (components: ReadonlyArray<Component>): ReadonlyArray<Component> =>
  components.length === 1 ? components.map(({ id }) => ({ id, across: 1, down: 1 })) : components

/** How to read a scan; none when its tables are not there. */
export const planOf = ({ frame, segment, definitions }: BaselineScan): O.Option<Plan> => {
  const components = factorsOf(frame.components)
  const across = SIDE * Math.max(...components.map((component) => component.across))
  const down = SIDE * Math.max(...components.map((component) => component.down))
  const units = Math.ceil(frame.width / across) * Math.ceil(frame.height / down)
  const blocks = scanComponents(segment).flatMap((scanned) => {
    const tables = tablesOf(definitions, scanned)
    const component = components.find(({ id }) => id === scanned.id)
    return Array.from({ length: component ? component.across * component.down : 0 }, () => tables)
  })
  return pipe(
    O.sequenceArray(blocks),
    O.map((all) => ({ blocks: all, units })),
  )
}
