import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/**
 * A Huffman table of a JPEG, by the next sixteen bits of the data: the length of the code that they begin with in the upper
 * byte, its symbol in the lower; 0 where no code begins so.
 */
export type HuffmanTable = Uint16Array

/** A table as a file defines it: how many codes there are of each length, and their symbols in order. */
interface Definition {
  readonly counts: Uint8Array
  readonly symbols: Uint8Array
}

/** The definitions of a file, by the class and number of their tables as one byte. */
export type Definitions = ReadonlyMap<number, Definition>

const LONGEST = 16

/** What DHT segments define, the last definition of a table winning; none when one is cut off. */
export const definitionsIn = (payloads: ReadonlyArray<Uint8Array>): O.Option<Definitions> => {
  const all = new Map<number, Definition>()
  for (const payload of payloads) {
    for (let at = 0; at < payload.length; ) {
      const from = at + 1 + LONGEST
      const counts = payload.subarray(at + 1, from)
      const end = from + counts.reduce((sum, count) => sum + count, 0)
      if (end > payload.length) return O.none
      all.set(payload[at] ?? 0, { counts, symbols: payload.subarray(from, end) })
      at = end
    }
  }
  return O.some(all)
}

/** Codes are handed out in order: counting up within a length, and going on from there with one bit more. */
const build = ({ counts, symbols }: Definition): O.Option<HuffmanTable> => {
  const table = new Uint16Array(2 ** LONGEST)
  let at = 0
  let next = 0
  for (const [i, count] of counts.entries()) {
    const length = i + 1
    const width = 2 ** (LONGEST - length)
    if (at + count * width > table.length) return O.none
    for (let n = 0; n < count; n++) {
      table.fill((length << 8) | (symbols[next] ?? 0), at, at + width)
      at += width
      next += 1
    }
  }
  return O.some(table)
}

/** The table of a class and number; none when it is not defined, or has more codes than there can be. */
export const tableOf = (definitions: Definitions, id: number): O.Option<HuffmanTable> =>
  pipe(O.fromNullable(definitions.get(id)), O.flatMap(build))
