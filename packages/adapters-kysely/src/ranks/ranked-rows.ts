import type { Db, State } from '../engine.ts'
import type { Bounds, Part, Rows } from '../items/rows.ts'
import type { ChangeLog } from './change-log.ts'
import type { View } from './view.ts'
import type { Views } from './views.ts'

/** How often a page is asked for while others write: each time what they wrote is taken in first. */
const TRIES = 4

interface Ranked<Query, K extends string | number> {
  /** Rows by one statement. */
  readonly rows: Rows<Query, K>
  /** The same rows in any case, at a cost that grows with the offset. */
  readonly stepped: Rows<Query, K>
  readonly views: Views<Query, K>
  readonly log: Pick<ChangeLog<never>, 'state' | 'markColumn'>
  /** As the engine's `state`. */
  readonly state: () => State | undefined
  /** Offsets up to this are passed over one by one, which is as quick. */
  readonly near: number
}

interface Marked {
  readonly mark: number
}

/** What a view was seen to be right about. */
interface Confirmed {
  readonly mark: number
  readonly state: State | undefined
}

/**
 * Rows at any offset for the same cost. Where they are is what the view of the query says; that the view was right is what the
 * same statement says, by the mark of the state that it saw, unless nobody has written since that was seen. Where no view can be had,
 * the offset is passed over in steps.
 */
export const rankedRows = <Query, K extends string | number>({
  rows,
  stepped,
  views,
  log,
  state,
  near,
}: Ranked<Query, K>): Rows<Query, K> => {
  const confirmed = new WeakMap<View<K>, Confirmed>()

  /** The rows, if the view knows where they are. */
  const find = async <Row>(view: View<K>, db: Db, part: Part<Query, K>, { most, offset = 0 }: Bounds<K>) => {
    const { mark, start, bounds } = view.locate(part.start, offset)
    const [before, known] = [state(), confirmed.get(view)]
    if (before !== undefined && known?.mark === mark && known.state === before) {
      const found = await rows<Row>(db, { ...part, start }, { most, ...bounds })
      if (state() === before) return found
    }
    const marked = { ...part, start, columns: `${part.columns}, ${log.markColumn}` }
    const found = await rows<Row & Marked>(db, marked, { most, ...bounds })
    // Behind the end there is no row to say it: a mark that is still there now was there then.
    const seen = found[0]?.mark ?? (await log.state(db)).mark
    if (seen !== mark) return undefined
    confirmed.set(view, { mark, state: before })
    return found
  }

  /** The same, however much others write meanwhile, up to a bound. */
  const persist = async <Row>(view: View<K>, db: Db, part: Part<Query, K>, bounds: Bounds<K>) => {
    for (let left = TRIES; left > 0; left -= 1) {
      const found = await find<Row>(view, db, part, bounds)
      if (found !== undefined) return found
      const came = await view.catchUp(db)
      if (came === 'lost') views.drop(part.query, view)
      if (came !== 'current') return undefined
    }
    return undefined
  }

  return async <Row>(db: Db, part: Part<Query, K>, bounds: Bounds<K>) => {
    const view = (bounds.offset ?? 0) > near ? views.known(part.query) : undefined
    const found = view && (await persist<Row>(view, db, part, bounds))
    return found ?? stepped<Row>(db, part, bounds)
  }
}
