import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CORPUS_ARCHIVES, type CorpusArchive } from './archives.ts'
import { CORPUS_LABELS, CORPUS_TABLES, CORPUS_USERS } from './tables.ts'

// Writes the tables and archives of the corpus: `node testing/corpus/test/write-tables.ts`.

const ROOT = join(import.meta.dirname, '..')

const emptied = (name: string): string => {
  const folder = join(ROOT, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Commands that pack a folder, whose working folder it is. */
const PACK = {
  zip: (target: string) => ['zip', '-q', '-r', '-X', target, '.'],
  python: (target: string) => ['python3', '-m', 'zipfile', '-c', target, '.'],
}

/** Has a program of this machine pack the files; undefined if there is none. */
const packedBy = ({ files }: CorpusArchive, program: keyof typeof PACK): Buffer | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'))
  try {
    for (const { name, content } of files) {
      const path = join(folder, 'files', String(name))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
    const target = join(folder, 'packed.zip')
    const [command = '', ...args] = PACK[program](target)
    execFileSync(command, args, { cwd: join(folder, 'files'), env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    return readFileSync(target)
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const tables = emptied('tables')
for (const { file, content } of [...CORPUS_TABLES, ...CORPUS_USERS, ...CORPUS_LABELS])
  writeFileSync(join(tables, file), content)
const archives = emptied('archives')
for (const archive of CORPUS_ARCHIVES) {
  const packed = archive.writtenBy === undefined ? undefined : packedBy(archive, archive.writtenBy)
  writeFileSync(join(archives, archive.file), packed ?? archive.content)
}
