import { setImmediate } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { type BaselineScan, type BlockTables, type Plan, planOf } from './baseline-plan.ts'
import { EntropyReader } from './entropy-reader.ts'

const COEFFICIENTS = 64
/** A run of sixteen zeros; any other symbol without bits ends the block. */
const LONG_RUN = 15

/** Units after which other work gets its turn: some milliseconds. */
const PAUSE_AFTER = 2048

/** Passes over one block; false when its bits are no codes. */
const passBlock = (reader: EntropyReader, { first, others }: BlockTables): boolean => {
  const size = reader.symbol(first)
  if (size < 0 || size > 15) return false
  reader.skip(size)
  for (let k = 1; k < COEFFICIENTS; k++) {
    const symbol = reader.symbol(others)
    if (symbol < 0) return false
    const run = symbol >> 4
    const bits = symbol & 15
    if (bits === 0 && run !== LONG_RUN) return true
    reader.skip(bits)
    k += run
  }
  return true
}

/** Passes over one unit and the restart marker that is due before it; false when either is not there. */
const passUnit = (reader: EntropyReader, { blocks }: Plan, restarts: boolean): boolean =>
  (!restarts || reader.restart()) && blocks.every((block) => passBlock(reader, block)) && !reader.overrun

/**
 * Whether a scan has every block of its picture, and after the last one nothing but filling. The decoder reads such a scan
 * row by row, and what it has to say of the last row comes after that row has been taken for good; this finds the loss of a
 * single block.
 */
export const hasEveryBlock = async (scan: BaselineScan): Promise<boolean> => {
  const plan = planOf(scan)
  if (O.isNone(plan)) return false
  const { segment, restartAfter } = scan
  const reader = new EntropyReader(segment.whole.subarray(4 + segment.payload.length))
  for (let unit = 0; unit < plan.value.units; unit++) {
    if (unit % PAUSE_AFTER === 0) await setImmediate()
    const restarts = restartAfter > 0 && unit > 0 && unit % restartAfter === 0
    if (!passUnit(reader, plan.value, restarts)) return false
  }
  return reader.onlyFillingLeft()
}
