import { useEffect, useState } from 'react'
import { useMessages } from '../app/session.tsx'
import { type ContentType, type Item, pathOf } from '../items/items.ts'
import { listItems } from '../items/items-api.ts'
import type { CommandGroup } from './commands.ts'

/** Milliseconds after the last key until the server is asked. */
const PAUSE = 200

/** Entries of each content type that are shown. */
const MOST = 5

type Found = Readonly<Record<ContentType, ReadonlyArray<Item>>>

const NOTHING: Found = { library: [], feed: [] }

const search = async (q: string, signal: AbortSignal): Promise<Found> => {
  const query = { q, lim: MOST, offset: 0 }
  const [library, feed] = await Promise.all([
    listItems('library', query, signal),
    listItems('feed', query, signal),
  ])
  return { library: library.data.items, feed: feed.data.items }
}

/** What a search has found. */
export interface FoundItems {
  readonly groups: ReadonlyArray<CommandGroup>
  readonly error: unknown
  readonly isSearching: boolean
}

/** Searches publications and posts for a text, as their lists do (J2). The answer to an earlier text is dropped. */
export const useFound = (text: string): FoundItems => {
  const messages = useMessages()
  const [state, setState] = useState<{ readonly q: string; readonly found: Found; readonly error?: unknown }>(
    {
      q: '',
      found: NOTHING,
    },
  )
  const q = text.trim()
  useEffect(() => {
    if (q === '') return setState({ q, found: NOTHING })
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => {
      search(q, signal).then(
        (found) => setState({ q, found }),
        (error: unknown) => signal.aborted || setState({ q, found: NOTHING, error }),
      )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [q])
  const groups = (['library', 'feed'] as const).map((contentType) => ({
    id: contentType,
    title: messages[contentType].title,
    commands: state.found[contentType].map((item) => ({
      id: item.itemId,
      name: item.itemTitle,
      hint: messages.status[item.status],
      lang: item.lang,
      href: pathOf(contentType, item.itemId),
    })),
  }))
  return {
    groups: groups.filter(({ commands }) => commands.length > 0),
    error: state.error,
    isSearching: state.q !== q,
  }
}
