import { ApiError } from '@almoner/client'
import { useState } from 'react'
import { changes } from '../app/changes.ts'

/** Acts that may need a recent proof of presence. */
export interface Acts {
  /** Why the latest act failed. */
  readonly refused: unknown
  /** Whether an act is under way. */
  readonly isBusy: boolean
  /** Does an act, and something with its result. Cancelling the proof of presence, or the browser's dialog, is no failure. */
  readonly run: <Result>(act: () => Promise<Result>, then: (result: Result) => void) => Promise<void>
}

const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException || (error instanceof ApiError && error.code === 'presence_required')

/** Returns the means to do acts, with the failure of the latest one. */
export const useActs = (): Acts => {
  const [refused, setRefused] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  return {
    refused,
    isBusy,
    run: async (act, then) => {
      setRefused(undefined)
      setBusy(true)
      try {
        then(await act())
        changes.report()
      } catch (error) {
        if (!isCancelled(error)) setRefused(error)
      } finally {
        setBusy(false)
      }
    },
  }
}
