import type { ItemCore } from '@almoner/domain'
import { ownBytes } from '../responses/copy-out-of-pool.ts'

/** Bytes kept at most: some 4,000 items of usual size, whose text and bytes are kept. */
const MOST = 16 * 1024 * 1024

/** What an item was rendered as. */
export interface Rendered {
  readonly text: string
  /** The same with a comma before it, as collections are made of. */
  readonly bytes: Buffer
}

/**
 * Keeps what items were rendered as, by identifier, revision and moment of the change: a write raises the revision, and a database that was
 * put back to an earlier state and written again has the same revision at another moment. Bounded: when half of the room is full, the other
 * half is forgotten, but for what was asked for meanwhile.
 */
export const keepRendered = <A extends Pick<ItemCore, 'id' | 'revision' | 'updatedAt'>>(
  render: (item: A) => string,
  most = MOST,
): ((item: A) => Rendered) => {
  let [fresh, stale] = [new Map<string, Rendered>(), new Map<string, Rendered>()]
  let room = most / 2

  const keep = (name: string, rendered: Rendered): Rendered => {
    room -= 2 * rendered.bytes.length
    if (room < 0) {
      stale = fresh
      fresh = new Map()
      room = most / 2
    }
    fresh.set(name, rendered)
    return rendered
  }

  const make = (item: A): Rendered => {
    const text = render(item)
    return { text, bytes: ownBytes(Buffer.from(`,${text}`)) }
  }

  return (item) => {
    const name = `${item.id} ${item.revision} ${item.updatedAt}`
    return fresh.get(name) ?? keep(name, stale.get(name) ?? make(item))
  }
}
