import { type Answer, ApiError } from '@almoner/client'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

let count = 0
const listeners = new Set<() => void>()

/** The number of changes that this page has made or that the server has reported. Questions are asked again when it grows. */
export const changes = {
  version: (): number => count,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Reports a change. */
  report: (): void => {
    count += 1
    for (const listener of listeners) listener()
  },
}

/** The state of a question to the server. While it is asked again, the previous answer stays. */
interface Answered<Data> {
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

/** The state of something that is loaded once. */
interface Loaded<Data> {
  readonly data: Data | undefined
  readonly error: unknown
  readonly retry: () => void
}

/** Loads something once for each key, and not again when data changes on the server. */
export const useOnce = <Data>(key: string, load: () => Promise<Data>): Loaded<Data> => {
  const [state, setState] = useState<{ readonly data?: Data; readonly error?: unknown }>({})
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for all that `load` depends on
  useEffect(() => {
    let isCurrent = true
    setState({})
    load().then(
      (data) => isCurrent && setState({ data }),
      (error: unknown) => isCurrent && setState({ error }),
    )
    return () => {
      isCurrent = false
    }
  }, [key, attempt])
  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  return { data: state.data, error: state.error, retry }
}

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
