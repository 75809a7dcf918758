import t from 'tap'
import type { Db, State } from '../src/engine.ts'
import type { Rows } from '../src/items/rows.ts'
import type { ChangeLog } from '../src/ranks/change-log.ts'
import { rankedRows } from '../src/ranks/ranked-rows.ts'
import type { View } from '../src/ranks/view.ts'

const DB = {} as Db
const PART = { columns: 'id', query: {}, start: { kind: 'top' } as const }

/** A shelf whose mark each commit raises, and a view of it that says where to read by the mark that it knows. */
const shelf = () => {
  let [mark, known]: [number, number] = [1, 1]
  let state: State = {}
  const asked: Array<string> = []
  let meanwhile = () => {}
  const commit = () => {
    mark += 1
    state = {}
  }
  const view: View<string> = {
    seq: () => 0,
    locate: () => ({ mark: known, start: { kind: 'top' }, bounds: { offset: known } }),
    catchUp: async () => {
      known = mark
      return 'current'
    },
  }
  const rows = (async (_db, { columns }, { offset }) => {
    const before = meanwhile
    meanwhile = () => {}
    before()
    asked.push(columns.includes('mark') ? 'marked' : 'plain')
    return [{ at: offset, mark }]
  }) as Rows<object, string>
  const read = rankedRows({
    rows,
    stepped: async () => [],
    views: { known: () => view, ready: () => undefined, drop: () => {} },
    log: { markColumn: 'mark' } as ChangeLog<never>,
    state: () => state,
    near: 10,
  })
  return {
    /** By which of the view's answers the page was read, and how the rows were asked for. */
    page: async () => {
      const [row] = await read<{ readonly at: number }>(DB, PART, { most: 1, offset: 100 })
      return [row?.at, ...asked.splice(0)]
    },
    commit,
    /** Commits in the midst of the next read: behind the question for the state, before the rows. */
    commitMeanwhile: () => {
      meanwhile = commit
    },
  }
}

t.test(
  'B4: rows by rank ask for the mark until it is seen, and again once anybody has written',
  async (t) => {
    const { page, commit } = shelf()
    t.strictSame(await page(), [1, 'marked'])
    t.strictSame(await page(), [1, 'plain'], 'nobody has written')
    commit()
    t.strictSame(await page(), [2, 'marked', 'marked'], 'what is not current is asked for anew')
    t.strictSame(await page(), [2, 'plain'])
  },
)

t.test('B4: a write between the question for the state and the rows is noticed', async (t) => {
  const { page, commitMeanwhile } = shelf()
  await page()
  commitMeanwhile()
  t.strictSame(await page(), [2, 'plain', 'marked', 'marked'])
  t.strictSame(await page(), [2, 'plain'])
  commitMeanwhile()
  await page()
  t.strictSame(await page(), [3, 'plain'])
})
