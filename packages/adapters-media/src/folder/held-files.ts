import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { type HeldFile, isMediaName, type MediaName } from '@almoner/domain'
import { writtenAt } from './written-at.ts'

const BATCH = 100

const datedFiles = async (
  folder: string,
  names: ReadonlyArray<MediaName>,
): Promise<ReadonlyArray<HeldFile>> => {
  const moments = await Promise.all(names.map((name) => writtenAt(join(folder, name))))
  return names.flatMap((name, i) => {
    const storedAt = moments[i]
    return storedAt === undefined ? [] : [{ name, storedAt }]
  })
}

/** The images of a folder, a hundred at a time; whatever else lies there is passed over. */
export async function* heldFiles(folder: string): AsyncGenerator<ReadonlyArray<HeldFile>, void> {
  let names: Array<MediaName> = []
  for await (const { name } of await opendir(folder)) {
    if (isMediaName(name)) names.push(name)
    if (names.length < BATCH) continue
    yield await datedFiles(folder, names)
    names = []
  }
  if (names.length > 0) yield await datedFiles(folder, names)
}
