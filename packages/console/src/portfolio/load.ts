import type { ConsolePaths } from '@almoner/client'
import { useRef, useState } from 'react'
import type { DropZoneProps } from 'react-aria-components/DropZone'
import { API } from '../session/api.ts'
import { type OnProgress, type ServerProgress, sendForm } from '../session/send-form.ts'

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

type Answered<Path extends '/portfolio/review' | '/portfolio/load'> =
  ConsolePaths[Path]['post']['responses'][200]['content']['application/json']

/** The errors of chosen files, or what a load of them would change. */
export type Review = Answered<'/portfolio/review'>['review']

/** What a load would change. */
export type Plan = NonNullable<Review['plan']>

const formOf = (files: ReadonlyArray<ChosenFile>): FormData => {
  const form = new FormData()
  for (const { path, file } of files) form.append('files', file, path)
  return form
}

/** Checks files on the server, which changes nothing. */
const reviewFiles = async (files: ReadonlyArray<ChosenFile>, onProgress: OnProgress): Promise<Review> =>
  (
    (await sendForm(
      `${API}/portfolio/review`,
      formOf(files),
      {},
      onProgress,
    )) as Answered<'/portfolio/review'>
  ).review

/** Replaces the portfolio by that of reviewed files. */
const loadFiles = async (
  files: ReadonlyArray<ChosenFile>,
  fingerprint: string,
  onProgress: OnProgress,
): Promise<void> => {
  const form = formOf(files)
  form.append('fingerprint', fingerprint)
  await sendForm(`${API}/portfolio/load`, form, {}, onProgress)
}

/** How far a load has come. The share of the files that is sent is from 0 to 1; `server` is what the server does with the images then. */
export type LoadState =
  | { readonly step: 'choose' }
  | {
      readonly step: 'checking' | 'loading'
      readonly count: number
      readonly share: number
      readonly server?: ServerProgress
    }
  | { readonly step: 'reviewed'; readonly files: ReadonlyArray<ChosenFile>; readonly review: Review }
  | { readonly step: 'failed'; readonly error: unknown }

/** A load of the portfolio: files are chosen, reviewed, and loaded when the person agrees. */
export const useLoad = (onLoaded: () => void) => {
  const [state, setState] = useState<LoadState>({ step: 'choose' })
  const latest = useRef(0)
  const run = async (
    step: 'checking' | 'loading',
    files: ReadonlyArray<ChosenFile>,
    act: (onProgress: OnProgress) => Promise<LoadState>,
  ): Promise<void> => {
    latest.current += 1
    const own = latest.current
    const set = (next: LoadState) => latest.current === own && setState(next)
    const progress: OnProgress = (share, server) =>
      set({ step, count: files.length, share, ...(server && { server }) })
    progress(0)
    set(await act(progress).catch((error: unknown): LoadState => ({ step: 'failed', error })))
  }
  const choose = (files: ReadonlyArray<ChosenFile>) =>
    files.length === 0
      ? undefined
      : void run('checking', files, async (onProgress) => {
          const review = await reviewFiles(files, onProgress)
          return { step: 'reviewed', files, review }
        })
  const load = (files: ReadonlyArray<ChosenFile>, fingerprint: string) =>
    void run('loading', files, async (onProgress) => {
      await loadFiles(files, fingerprint, onProgress)
      onLoaded()
      return { step: 'choose' }
    })
  return { state, choose, load }
}
