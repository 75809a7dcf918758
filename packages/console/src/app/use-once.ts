import { useCallback, useEffect, useState } from 'react'

/** The state of something that is loaded once. */
export interface Loaded<Data> {
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
