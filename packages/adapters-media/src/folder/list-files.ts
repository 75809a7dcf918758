import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '@almoner/domain'
import { writtenAt } from './written-at.ts'

const BATCH = 100

/** A file of a folder. */
export interface DatedFile<Name extends string> {
  readonly name: Name
  readonly storedAt: Instant
}

const datedFiles = async <Name extends string>(
  folder: string,
  names: ReadonlyArray<Name>,
): Promise<ReadonlyArray<DatedFile<Name>>> => {
  const moments = await Promise.all(names.map((name) => writtenAt(join(folder, name))))
  return names.flatMap((name, i) => {
    const storedAt = moments[i]
    return storedAt === undefined ? [] : [{ name, storedAt }]
  })
}

/** Lists the files of a folder with names of images, a hundred at a time. Ignores other files. */
export async function* listFiles<Name extends string>(
  folder: string,
  isName: (name: string) => name is Name,
): AsyncGenerator<ReadonlyArray<DatedFile<Name>>, void> {
  let names: Array<Name> = []
  for await (const { name } of await opendir(folder)) {
    if (isName(name)) names.push(name)
    if (names.length < BATCH) continue
    yield await datedFiles(folder, names)
    names = []
  }
  if (names.length > 0) yield await datedFiles(folder, names)
}
