import { Header } from 'tar/header'
import { ArchiveFault } from './archive-fault.ts'

/** Bytes of a block: headers are one, and contents are filled up to whole ones. */
export const BLOCK = 512

/** What stands behind the last entry. */
export const TAIL = Buffer.alloc(2 * BLOCK)

const FIXED = { mode: 0o600, uid: 0, gid: 0, uname: '', gname: '', mtime: new Date(0), type: 'File' } as const

/** The header of an entry. It depends on nothing but name and size, so that the same content gives the same archive. */
export const headerOf = (path: string, size: number): Buffer => {
  const block = Buffer.alloc(BLOCK)
  new Header({ ...FIXED, path, size }).encode(block)
  return block
}

/** How many bytes fill a content of a size up to whole blocks. */
export const fillingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

/** An entry's name and size. */
interface Head {
  readonly name: string
  readonly size: number
}

/** What a header says, when {@link headerOf} wrote it. */
const parsed = (block: Buffer): Head | undefined => {
  try {
    const { path: name, size } = new Header(block, 0)
    if (name === undefined || size === undefined) return undefined
    return headerOf(name, size).equals(block) ? { name, size } : undefined
  } catch {
    // The library throws at some numbers that cannot be.
    return undefined
  }
}

/** What a header says; undefined for an empty block, which ends an archive. One that {@link headerOf} never wrote is a fault. */
export const readHeader = (block: Buffer, at: number): Head | undefined => {
  if (block.equals(TAIL.subarray(0, BLOCK))) return undefined
  const head = parsed(block)
  if (head !== undefined) return head
  throw new ArchiveFault(
    at === 0 ? 'is no archive of Almoner' : `is broken at byte ${at}: no entry begins there`,
  )
}
