import type { ConsolePaths } from '@almoner/client'
import { API } from '../../session/api.ts'
import { sendForm } from '../../session/send-form.ts'
import type { ChosenFile } from './chosen-files.ts'

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
export const reviewFiles = async (
  files: ReadonlyArray<ChosenFile>,
  onProgress: (share: number) => void,
): Promise<Review> =>
  (
    (await sendForm(
      `${API}/portfolio/review`,
      formOf(files),
      {},
      onProgress,
    )) as Answered<'/portfolio/review'>
  ).review

/** Replaces the portfolio by that of reviewed files. */
export const loadFiles = async (
  files: ReadonlyArray<ChosenFile>,
  fingerprint: string,
  onProgress: (share: number) => void,
): Promise<void> => {
  const form = formOf(files)
  form.append('fingerprint', fingerprint)
  await sendForm(`${API}/portfolio/load`, form, {}, onProgress)
}
