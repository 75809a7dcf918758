import type { Answer } from '@almoner/client'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { changes } from './changes.ts'

/** The state of a question to the server. While it is asked again, the previous answer stays. */
export interface Answered<Data> {
  readonly answer: Answer<Data> | undefined
  readonly error: unknown
  readonly isLoading: boolean
  /** Asks again. The browser sends the ETag of its copy, so an unchanged answer is a 304. */
  readonly reload: () => void
}

/** The latest answers, so that a page that was open before is there at once while the server is asked. */
const latest = new Map<string, Answer<unknown>>()
const MOST = 50

const remember = (key: string, answer: Answer<unknown>): void => {
  latest.delete(key)
  latest.set(key, answer)
  const [oldest] = latest.keys()
  if (latest.size > MOST && oldest !== undefined) latest.delete(oldest)
}

interface State<Data> {
  readonly key: string
  readonly answer?: Answer<Data>
  readonly error?: unknown
  readonly isLoading: boolean
}

const startOf = <Data>(key: string): State<Data> => {
  const answer = latest.get(key) as Answer<Data> | undefined
  return { key, isLoading: true, ...(answer && { answer }) }
}

/**
 * Asks the server, and asks again when `key` changes or when data changes on the server. A question that is no longer needed is aborted.
 * `key` must name everything that `ask` depends on.
 */
export const useAnswer = <Data>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Answer<Data>>,
): Answered<Data> => {
  const [state, setState] = useState(() => startOf<Data>(key))
  const [asked, setAsked] = useState(0)
  const version = useSyncExternalStore(changes.subscribe, changes.version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for all that `ask` depends on
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState((before) => (before.key === key ? { ...before, isLoading: true } : startOf(key)))
    ask(signal).then(
      (answer) => {
        if (signal.aborted) return
        remember(key, answer)
        setState({ key, answer, isLoading: false })
      },
      (error: unknown) => {
        if (!signal.aborted) setState((before) => ({ ...before, error, isLoading: false }))
      },
    )
    return () => controller.abort()
  }, [key, asked, version])
  const reload = useCallback(() => setAsked((count) => count + 1), [])
  const current = state.key === key ? state : startOf<Data>(key)
  return { answer: current.answer, error: current.error, isLoading: current.isLoading, reload }
}
