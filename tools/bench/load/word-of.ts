import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** What a process says. Rejects when it ends before. */
export const wordOf = async (child: ChildProcess): Promise<unknown> => {
  const end = new AbortController()
  const { signal } = end
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a process of the bench ended with ${code}`)
  })
  try {
    const [word] = await Promise.race([once(child, 'message', { signal }), ended])
    return word
  } finally {
    ended.catch(() => {})
    end.abort()
  }
}
