import { useEffect, useState } from 'react'
import { useMessages, useSession } from '../app/session.tsx'
import { type ContentType, type Item, pathOf } from '../items/items.ts'
import { listItems } from '../items/items-api.ts'
import { at } from '../paths.ts'
import { type FoundPeople, findPeople } from '../people/people-api.ts'
import type { CommandGroup } from './commands.ts'

/** Milliseconds after the last key until the server is asked. */
const PAUSE = 200

/** Entries of each kind that are shown. */
const MOST = 5

/** Characters of an address from which on people are searched. */
const LEAST = 3

interface Found extends Readonly<Record<ContentType, ReadonlyArray<Item>>> {
  readonly people: FoundPeople['users']
}

const NOTHING: Found = { library: [], feed: [], people: [] }

const search = async (q: string, hasPeople: boolean, signal: AbortSignal): Promise<Found> => {
  const query = { q, lim: MOST, offset: 0 }
  const [library, feed, people] = await Promise.all([
    listItems('library', query, signal),
    listItems('feed', query, signal),
    hasPeople && q.length >= LEAST ? findPeople(q) : { users: [] },
  ])
  return { library: library.data.items, feed: feed.data.items, people: people.users.slice(0, MOST) }
}

/** What a search has found. */
export interface FoundItems {
  readonly groups: ReadonlyArray<CommandGroup>
  readonly error: unknown
  readonly isSearching: boolean
}

/**
 * Searches publications and posts for a text, as their lists do (J2), and for operators people by their address. The answer to an earlier
 * text is dropped.
 */
export const useFound = (text: string): FoundItems => {
  const messages = useMessages()
  const hasPeople = useSession().session.manager.duty === 'operator'
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
      search(q, hasPeople, signal).then(
        (found) => setState({ q, found }),
        (error: unknown) => signal.aborted || setState({ q, found: NOTHING, error }),
      )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [q, hasPeople])
  const items = (['library', 'feed'] as const).map((contentType) => ({
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
  const people = {
    id: 'people',
    title: messages.people.title,
    commands: state.found.people.map(({ user }) => ({
      id: `person-${user.number}`,
      name: user.email,
      href: at(`/console/people/${user.number}`),
    })),
  }
  const groups: ReadonlyArray<CommandGroup> = [...items, people]
  return {
    groups: groups.filter(({ commands }) => commands.length > 0),
    error: state.error,
    isSearching: state.q !== q,
  }
}
