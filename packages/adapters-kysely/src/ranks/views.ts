import * as E from 'fp-ts/lib/Either.js'
import { whereAll } from '../conditions.ts'
import type { Runner } from '../runner.ts'
import { KEPT_CHANGES } from './change-log.ts'
import { openView, type View, type ViewGround } from './view.ts'

/** Views kept of each shelf: those that were asked for last. Each takes two or three megabytes at most. */
const KEPT = 8

/** The views that are asked for by rank. */
export interface Views<Query, K extends string | number> {
  /** The view of a query, if it is there. */
  known(query: Query): View<K> | undefined
  /** What resolves once the view of a query is there, unless it cannot be had now; undefined where it is. All who wait for one wait for the same. */
  ready(query: Query): Promise<void> | undefined
  /** Lets go of a view that is of no more use. */
  drop(query: Query, view: View<K>): void
}

/** Opens views as they are asked for, one at a time, each in steps that let others have their turn. */
export const makeViews = <Item, Row, Query, K extends string | number>(
  runner: Runner,
  conditionsOf: (query: Query) => Parameters<typeof whereAll>[0],
  ground: ViewGround<Item, Row, Query, K>,
): Views<Query, K> => {
  // A Map remembers the order in which its keys came: the first is the one not asked for for longest.
  const kept = new Map<string, View<K>>()
  const opening = new Map<string, Promise<void>>()
  let turn: Promise<unknown> = Promise.resolve()

  // Whoever asks for a page asks for its view twice, and many ask for the same.
  let last: { readonly query: Query; readonly name: string } | undefined
  let newest: string | undefined

  /** An embargo is no condition: the same view serves every day. */
  const nameOf = (query: Query): string => {
    if (last?.query === query) return last.name
    const { text, values } = whereAll(conditionsOf(query))
    last = { query, name: `${text} ${values.join(' ')}` }
    return last.name
  }

  const keep = (name: string, view: View<K>) => {
    if (name === newest && kept.get(name) === view) return
    kept.delete(name)
    kept.set(name, view)
    newest = name
    const [oldest] = kept.keys()
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
  }

  /** The number up to which changes are written down for this process. */
  let watched = 0
  let watching = false

  /**
   * Asks for changes, while others read: nobody who reads waits for somebody who writes. What comes before that is done, or where it cannot be,
   * has views counted anew.
   */
  const watch = () => {
    if (watching) return
    watching = true
    const asked = runner.write(async (db) => E.right(await ground.log.watch(db)), 'quiet')()
    const heard = asked.then((outcome) => {
      if (E.isRight(outcome)) watched = outcome.right
    })
    // A fault of the statements is met by everybody who writes an item, and told there.
    void heard
      .catch(() => {})
      .finally(() => {
        watching = false
      })
  }

  const open = async (name: string, query: Query): Promise<void> => {
    try {
      watch()
      const opened = await runner.whole((db) => openView(db, query, ground))()
      if (opened._tag === 'Right') keep(name, opened.right)
    } finally {
      opening.delete(name)
    }
  }

  const begin = (name: string, query: Query): Promise<void> => {
    const begun = turn.then(() => open(name, query))
    opening.set(name, begun)
    // The next one comes when this one is done, however that ends.
    turn = begun.catch(() => {})
    return begun
  }

  return {
    known: (query) => {
      const name = nameOf(query)
      const view = kept.get(name)
      if (view === undefined) return undefined
      keep(name, view)
      if (view.seq() + KEPT_CHANGES / 2 > watched) watch()
      return view
    },
    ready: (query) => {
      const name = nameOf(query)
      return kept.has(name) ? undefined : (opening.get(name) ?? begin(name, query))
    },
    drop: (query, view) => {
      const name = nameOf(query)
      if (kept.get(name) === view) kept.delete(name)
    },
  }
}
