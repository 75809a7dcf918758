import { useEffect, useMemo, useState } from 'react'
import type { CopyContent } from './copies.ts'
import { type CopyState, copyWriter } from './copy-writer.ts'

/**
 * Keeps typed text on the server: a second after the last key, and when the page is left. `content` is undefined when nothing is unsaved;
 * a stored copy is then deleted. Returns the state of the copy.
 */
export const useWorkingCopy = (
  key: string | undefined,
  content: CopyContent | undefined,
  isRestored: boolean,
): CopyState => {
  const [state, setState] = useState<CopyState>('none')
  // What the server has of a restored copy may differ from its merged text, so it is written again.
  const writer = useMemo(
    () => (key === undefined ? undefined : copyWriter(key, isRestored, setState)),
    [key, isRestored],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is the same if these members are
  useEffect(() => writer?.want(content), [writer, content?.fields, content?.baseETag])
  useEffect(() => {
    if (writer === undefined) return
    addEventListener('pagehide', writer.flush)
    return () => {
      removeEventListener('pagehide', writer.flush)
      writer.flush()
    }
  }, [writer])
  return state
}
