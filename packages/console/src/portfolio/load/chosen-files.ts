import type { DropZoneProps } from 'react-aria-components/DropZone'

/** A file, folder or text that was dropped. */
type DropItem = Parameters<NonNullable<DropZoneProps['onDrop']>>[0]['items'][number]

/** A file that a person has chosen, with its path below the chosen folder. */
export interface ChosenFile {
  readonly path: string
  readonly file: File
}

/** Returns the files of a dialog. In one for folders they have paths. */
export const filesOfList = (list: FileList | null): ReadonlyArray<ChosenFile> =>
  [...(list ?? [])].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }))

const filesBelow = async (item: DropItem, folder: string): Promise<ReadonlyArray<ChosenFile>> => {
  if (item.kind === 'file') return [{ path: `${folder}${item.name}`, file: await item.getFile() }]
  if (item.kind !== 'directory') return []
  const files: Array<ChosenFile> = []
  for await (const entry of item.getEntries())
    files.push(...(await filesBelow(entry, `${folder}${item.name}/`)))
  return files
}

/** Returns all files that were dropped, those in folders too. */
export const filesOfDrop = async (items: ReadonlyArray<DropItem>): Promise<ReadonlyArray<ChosenFile>> =>
  (await Promise.all(items.map((item) => filesBelow(item, '')))).flat()
