import { useRef, useState } from 'react'
import type { ChosenFile } from './chosen-files.ts'
import { loadFiles, type Review, reviewFiles } from './load-api.ts'

/** How far a load has come. The share of the files that is sent is from 0 to 1. */
type LoadState =
  | { readonly step: 'choose' }
  | { readonly step: 'checking' | 'loading'; readonly count: number; readonly share: number }
  | { readonly step: 'reviewed'; readonly files: ReadonlyArray<ChosenFile>; readonly review: Review }
  | { readonly step: 'failed'; readonly error: unknown }

/** A load of the portfolio: files are chosen, reviewed, and loaded when the person agrees. */
export const useLoad = (onLoaded: () => void) => {
  const [state, setState] = useState<LoadState>({ step: 'choose' })
  const latest = useRef(0)
  const run = async (
    step: 'checking' | 'loading',
    files: ReadonlyArray<ChosenFile>,
    act: (onProgress: (share: number) => void) => Promise<LoadState>,
  ): Promise<void> => {
    latest.current += 1
    const own = latest.current
    const set = (next: LoadState) => latest.current === own && setState(next)
    const progress = (share: number) => set({ step, count: files.length, share })
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
