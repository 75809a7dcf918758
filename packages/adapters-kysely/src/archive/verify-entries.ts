import { createHash } from 'node:crypto'
import { type Archive, bytesOf, type Entry, TORN } from './archive-reader.ts'
import { ArchiveError, type ErrorReport } from './errors.ts'
import { DATABASE, digestLine, digestsName, END, endBytes } from './format.ts'

/** An entry whose content was read. That of a database, which may not fit into memory, is left out. */
export interface VerifiedEntry extends Omit<Entry, 'parts'> {
  readonly bytes: Buffer
}

/** Compares the entries of an archive with its lists of digests. */
const makeDigests = (report: ErrorReport) => {
  const all = createHash('sha256')
  let lines: Array<string> = []
  let entries = 0
  let lists = 0
  return {
    nextList: () => digestsName(lists + 1),
    add(name: string, digest: string): void {
      lines.push(digestLine(digest, name))
      entries += 1
    },
    compareList(text: Buffer): void {
      lists += 1
      all.update(text)
      const written = new Set(text.toString().split(/(?<=\n)/))
      const names = lines.filter((line) => !written.has(line)).map((line) => line.slice(66, -1))
      if (names.length === 0 && written.size !== lines.length) names.push('a list of digests')
      for (const name of names) report.inside(`${name} is damaged: its digest is another one`)
      lines = []
    },
    compareEnd(text: Buffer): void {
      if (lines.length > 0 || !endBytes(entries, all.digest('hex')).equals(text))
        report.inside(`${END} does not fit what stands before it`)
    },
  }
}

const read = async (entry: Entry): Promise<{ readonly bytes: Buffer; readonly digest: string }> => {
  const hash = createHash('sha256')
  if (entry.name !== DATABASE) {
    const bytes = await bytesOf(entry)
    return { bytes, digest: hash.update(bytes).digest('hex') }
  }
  for await (const part of entry.parts) hash.update(part)
  return { bytes: Buffer.alloc(0), digest: hash.digest('hex') }
}

/** Reads the entries of an archive and compares their digests. Throws {@link ArchiveError} if the file is no archive or not whole. */
export async function* verifiedEntries(
  { entries }: Archive,
  report: ErrorReport,
): AsyncGenerator<VerifiedEntry, void> {
  const digests = makeDigests(report)
  let isOver = false
  for await (const entry of entries()) {
    if (isOver) throw new ArchiveError(`goes on behind ${END}`)
    const { name, size, at } = entry
    const { bytes, digest } = await read(entry)
    isOver = name === END
    if (isOver) digests.compareEnd(bytes)
    else if (name === digests.nextList()) digests.compareList(bytes)
    else {
      digests.add(name, digest)
      yield { name, size, at, bytes }
    }
  }
  if (!isOver) throw new ArchiveError(TORN)
}
