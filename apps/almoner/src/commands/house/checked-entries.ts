import { createHash } from 'node:crypto'
import { ArchiveFault } from './archive-fault.ts'
import type { ArchiveReader, Entry } from './archive-reader.ts'
import { DATABASE, digestLine, digestsName, END } from './format.ts'

/** An entry whose content has been read. That of a database, which need not fit into memory, is only summed up. */
export interface CheckedEntry extends Entry {
  readonly bytes: Buffer
}

const NOTHING = Buffer.alloc(0)

/** Where a list's line and what was read part. */
const damaged = (text: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const written = new Set(text.split(/(?<=\n)/))
  const names = lines.filter((line) => !written.has(line)).map((line) => line.slice(66, -1))
  return names.length > 0 || written.size === lines.length ? names : ['a list of digests']
}

/**
 * Goes through an archive and compares each entry with its digest, which comes behind it. Yields the entries that say something of
 * their own. Throws {@link ArchiveFault} where the archive is no such one or not whole.
 * @param fault hears of each entry whose content is not what was written
 */
export async function* checkedEntries(
  reader: ArchiveReader,
  fault: (sentence: string) => void,
): AsyncGenerator<CheckedEntry, void> {
  const all = createHash('sha256')
  let lines: Array<string> = []
  let entries = 0
  let lists = 0
  let isOver = false

  const sum = async (entry: Entry): Promise<CheckedEntry> => {
    const bytes = entry.name === DATABASE ? NOTHING : await reader.bytes(entry)
    const hash = createHash('sha256').update(bytes)
    if (entry.name === DATABASE) for await (const part of reader.parts(entry)) hash.update(part)
    lines.push(digestLine(hash.digest('hex'), entry.name))
    entries += 1
    return { ...entry, bytes }
  }

  const compare = async (entry: Entry): Promise<void> => {
    lists += 1
    const text = await reader.bytes(entry)
    all.update(text)
    for (const name of damaged(text.toString(), lines)) fault(`${name} is damaged: its digest is another one`)
    lines = []
  }

  const close = async (entry: Entry): Promise<void> => {
    const end = Buffer.from(`${JSON.stringify({ entries, digests: all.digest('hex') })}\n`)
    if (lines.length > 0 || !end.equals(await reader.bytes(entry)))
      fault(`${END} does not fit what stands before it`)
    isOver = true
  }

  for await (const entry of reader.entries()) {
    if (isOver) throw new ArchiveFault(`goes on behind ${END}`)
    if (entry.name === digestsName(lists + 1)) await compare(entry)
    else if (entry.name === END) await close(entry)
    else yield await sum(entry)
  }
  if (!isOver) throw new ArchiveFault(`lacks ${END}: it is not whole`)
}
