import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { labelEvery, ticksUpTo } from '../src/charts/layout.ts'
import { interrupted, newRun, undoOf, withEntry } from '../src/content/bulk/bulk.ts'
import { type Fields, mergeFields } from '../src/content/editor/fields.ts'
import { type DiffPart, diffWords } from '../src/content/history/word-diff.ts'
import { CENTRED, cropArea, keepInside, moveBy } from '../src/content/images/crop.ts'
import type { Item } from '../src/content/items.ts'
import { beginning } from '../src/notifications/composer/draft.ts'
import { makeGate, SEEN_AFTER } from '../src/session/gate.ts'
import { matchPath } from '../src/session/match.ts'
import { isCharacter, SHORTCUTS, shortcutOf } from '../src/session/shortcuts.ts'
import { type Box, freePlace } from '../src/ui/free-place.ts'
import { clockChange, offsetAt, offsetText, sendTimeOf, zoneName, zonesFrom } from '../src/ui/send-time.ts'

const FRAME = { width: 400, height: 560 }

t.test('a crop never leaves the image and keeps the shape of its frame', async (t) => {
  const side = fc.integer({ min: 1, max: 8000 })
  const step = fc.integer({ min: -9000, max: 9000 })
  fc.assert(
    fc.property(
      side,
      side,
      fc.double({ min: 0, max: 9, noNaN: true }),
      step,
      step,
      (width, height, zoom, x, y) => {
        const image = { width, height }
        const crop = moveBy(image, FRAME, keepInside(image, FRAME, { ...CENTRED, zoom }), x, y)
        const area = cropArea(image, FRAME, crop)
        const slack = 1e-6 * Math.max(width, height)
        return (
          area.left >= -slack &&
          area.top >= -slack &&
          area.left + area.width <= width + slack &&
          area.top + area.height <= height + slack &&
          Math.abs(area.width / area.height - FRAME.width / FRAME.height) < 1e-6
        )
      },
    ),
  )
  t.pass('for all sizes and moves')
})

const text = fc.constantFrom('a', 'b', 'c')
const fields = fc.record({ itemTitle: text, itemDescription: text, link: text })

t.test('a merge takes what only one side has changed and reports what both have', async (t) => {
  fc.assert(
    fc.property(fields, fields, fields, (base: Fields, theirs: Fields, mine: Fields) => {
      const { fields: merged, clashes } = mergeFields(base, theirs, mine)
      return (['itemTitle', 'itemDescription', 'link'] as const).every((field) => {
        const isClash =
          mine[field] !== base[field] && theirs[field] !== base[field] && mine[field] !== theirs[field]
        const expected = mine[field] === base[field] ? theirs[field] : mine[field]
        return merged[field] === expected && clashes.some((clash) => clash.field === field) === isClash
      })
    }),
  )
  t.pass('for all texts')
})

t.test('a word diff gives back both texts, and marks the changed words only', async (t) => {
  const text = fc.array(fc.constantFrom('a ', 'b ', 'c', '. ', 'l’eau ')).map((words) => words.join(''))
  const without = (kind: string, parts: ReadonlyArray<DiffPart>) =>
    parts.map((part) => (part.kind === kind ? '' : part.text)).join('')
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffWords(before, after, 'fr')
      return without('added', parts) === before && without('removed', parts) === after
    }),
  )
  t.strictSame(diffWords('Six villages', 'Seven villages', 'en'), [
    { kind: 'removed', text: 'Six' },
    { kind: 'added', text: 'Seven' },
    { kind: 'same', text: ' villages' },
  ])
})

t.test('a path leads to one page, with the named parts of its path', async (t) => {
  const pages = [{ path: '/console/feed' }, { path: '/console/feed/:id' }]
  t.same(matchPath(pages, '/console/feed/'), { page: pages[0], params: {} })
  t.same(matchPath(pages, '/console/feed/1'), { page: pages[1], params: { id: '1' } })
  t.equal(matchPath(pages, '/console/feed/1/history'), undefined)
  t.equal(matchPath(pages, '/console'), undefined)
})

t.test(
  'an axis begins at 0 and ends at the greatest value or a little above, in at most four round steps',
  async (t) => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 9e15, noNaN: true }), (greatest) => {
        const ticks = ticksUpTo(greatest)
        const [top = 0, step = 0] = [ticks.at(-1), ticks[1]]
        return ticks[0] === 0 && ticks.length <= 5 && top >= greatest * 0.999999 && top - step < greatest
      }),
    )
    t.strictSame(ticksUpTo(0), [0, 1])
    t.strictSame(ticksUpTo(10), [0, 5, 10])
    t.strictSame(ticksUpTo(1204), [0, 500, 1000, 1500])
    t.equal(labelEvery(12, 50, 300), 2)
    t.equal(labelEvery(4, 50, 300), 1)
  },
)

const at = (day: string, time: string, zone = 'Europe/Paris', isSecond = false) => {
  const { kind, moment } = sendTimeOf({ day, time, zone, isSecond }) ?? {}
  return [kind, moment?.toISOString()]
}

t.test('G2: a time on the clocks of a zone is one moment, also when they change', async (t) => {
  t.strictSame(at('2026-03-28', '10:00'), ['once', '2026-03-28T09:00:00.000Z'])
  t.strictSame(at('2026-03-29', '10:00'), ['once', '2026-03-29T08:00:00.000Z'])
  t.strictSame(at('2026-03-29', '02:30'), ['missing', '2026-03-29T01:30:00.000Z'], 'as much later')
  t.strictSame(at('2026-10-25', '02:30'), ['twice', '2026-10-25T00:30:00.000Z'])
  t.strictSame(at('2026-10-25', '02:30', 'Europe/Paris', true), ['twice', '2026-10-25T01:30:00.000Z'])
  t.strictSame(at('2026-10-04', '02:15', 'Australia/Lord_Howe'), ['missing', '2026-10-03T15:45:00.000Z'])
  for (const [day, time] of [
    ['2026-02-30', '10:00'],
    ['', '10:00'],
    ['2026-03-29', ''],
  ] as const)
    t.equal(sendTimeOf({ day, time, zone: 'UTC', isSecond: false }), undefined)
})

t.test(
  'G2: the moment of a time shows that time on the clocks of its zone, unless it is missing',
  async (t) => {
    const zones = zonesFrom('Europe/Paris')
    const two = (value: number) => String(value).padStart(2, '0')
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
        fc.integer({ min: 0, max: 23 }),
        fc.boolean(),
        (zone, month, date, hour, isSecond) => {
          const [day, time] = [`2026-${two(month)}-${two(date)}`, `${two(hour)}:30`]
          const found = sendTimeOf({ day, time, zone, isSecond })
          if (found === undefined) return false
          const shown = new Date(
            found.moment.getTime() + offsetAt(found.moment.getTime(), zone),
          ).toISOString()
          return (shown === `${day}T${time}:00.000Z`) === (found.kind !== 'missing')
        },
      ),
    )
    t.equal(zones[0], 'Europe/Paris')
    t.equal(new Set(zones).size, zones.length)
    t.equal(zoneName('America/Argentina/Buenos_Aires'), 'Buenos Aires, America, Argentina')
    t.equal(zoneName('UTC'), 'UTC')
  },
)

t.test('the change of the clocks before a time is found to the second, and offsets are named', async (t) => {
  const change = (from: string, to: string) =>
    clockChange(new Date(from), new Date(to), 'Europe/Paris')?.toISOString()
  t.equal(change('2026-11-25T12:00:00Z', '2027-04-01T08:00:00Z'), '2027-03-28T01:00:00.000Z')
  t.equal(change('2026-06-01T12:00:00Z', '2026-12-01T08:00:00Z'), '2026-10-25T01:00:00.000Z')
  t.equal(change('2026-11-25T12:00:00Z', '2026-12-24T08:00:00Z'), undefined)
  t.equal(change('2027-04-01T08:00:00Z', '2026-11-25T12:00:00Z'), undefined, 'a time that is past')
  const hour = 3_600_000
  t.strictSame(
    [2, -3.5, 0, 5.75].map((hours) => offsetText(hours * hour)),
    ['UTC+2', 'UTC−3:30', 'UTC', 'UTC+5:45'],
  )
})

t.test('a notification begins with the text of its publication, cut between two words', async (t) => {
  t.equal(beginning(' Six\nwells  work. '), 'Six wells work.')
  const long = beginning('word, '.repeat(100))
  t.ok([...long].length <= 181, long)
  t.match(long, /word…$/)
  t.equal(beginning('😀'.repeat(400)), `${'😀'.repeat(180)}…`)
})
/** Returns the event of keys as the list writes them. */
const pressOf = (keys: string) => {
  const parts = keys.split('+')
  const [key = ''] = parts.slice(-1)
  const shiftKey = parts.includes('Shift')
  const press = { key: shiftKey ? key : key.toLowerCase(), ctrlKey: parts.includes('Mod') }
  return { ...press, key: key.length === 1 ? press.key : key, metaKey: false, altKey: false, shiftKey }
}

t.test('WCAG 2.1.4: each key leads to one shortcut of its area; single characters can be off', async (t) => {
  for (const { area, name, keys } of SHORTCUTS)
    for (const key of keys) {
      t.equal(shortcutOf(area, pressOf(key), true), name, `${area} ${key}`)
      t.equal(shortcutOf(area, pressOf(key), false), isCharacter(key) ? undefined : name)
      t.equal(shortcutOf(area, { ...pressOf(key), altKey: true }, true), undefined)
    }
  const sign = { key: '?', ctrlKey: false, metaKey: false, altKey: false, shiftKey: true }
  t.equal(shortcutOf('everywhere', sign, true), 'help', 'with Shift, where the keyboard needs it')
})

t.test('M12: undo takes back what was done only, the versions that the act made, for an hour', async (t) => {
  const item = (itemId: string, status: Item['status']) => ({ itemId, itemTitle: itemId, status }) as Item
  const given = { id: '1', email: 'ada@example.org', at: 1 }
  const items = [item('a', 'Live'), item('b', 'Draft'), item('c', 'Draft')]
  const run = newRun('library', { kind: 'status', status: 'Archived' }, items, given)
  t.equal(undoOf(run, given), undefined, 'nothing was done')
  const done = ['a', 'b'].reduce((to, id) => withEntry(to, id, { state: 'done', etag: `"${id}"` }), run)
  const undo = undoOf(done, { id: '2', at: 2 })
  t.match(undo?.entries, [
    { itemId: 'a', etag: '"a"', state: 'waiting' },
    { itemId: 'b', etag: '"b"', state: 'waiting' },
  ])
  t.equal(undo?.entries.length, 2)
  t.equal(undoOf(done, { id: '2', at: 2 + 60 * 60 * 1000 }), undefined, 'the server takes no older act back')
})

t.test(
  'I5: what was under way at the end of a page is unknown if its request was sent, else not begun',
  async (t) => {
    const items = ['a', 'b', 'c'].map((itemId) => ({ itemId, status: 'Draft' }) as Item)
    const run = newRun('feed', { kind: 'status', status: 'Live' }, items, { id: '1', email: '', at: 1 })
    const sent = { key: 'k', etag: '"1"', body: {} }
    const begun = withEntry(withEntry(run, 'a', { state: 'running', sent }), 'b', { state: 'running' })
    t.strictSame(
      interrupted(begun).entries.map(({ state }) => state),
      ['unknown', 'waiting', 'waiting'],
    )
  },
)

t.test(
  'M13: every path of the console in its sources is made by `at`, which puts it below the public URL',
  async (t) => {
    const sources = join(import.meta.dirname, '../src')
    // Patterns of pages and the names of navigation links, which `at` gets where they are used; HTML, which the server changes.
    const exempt = ['app/pages.ts', 'build/html.ts', 'app/shell.tsx', 'paths.ts']
    for (const path of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(path) || exempt.includes(path)) continue
      const bare = readFileSync(join(sources, path), 'utf8').match(
        /(?<!(?:at|linked)\(\s*)['"`]\/console[^'"`]*/g,
      )
      t.same(bare, null, path)
    }
  },
)

t.test(
  'M12: a press acts once, on what was there for half a second when it began and is there when it ends',
  async (t) => {
    const step = fc.record({
      kind: fc.constantFrom('show', 'hide', 'begin', 'end'),
      key: fc.constantFrom('a', 'b'),
      after: fc.integer({ min: 0, max: 700 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const gate = makeGate()
        let now = 0
        let shown: { key: string; since: number } | undefined
        let began: { key: string; since: number; at: number } | undefined
        const acts = {
          begin: () => {
            gate.begin(now)
            began = shown && { ...shown, at: now }
            return true
          },
          end: () => {
            const may = began?.key === shown?.key && (began?.at ?? 0) - (began?.since ?? 0) >= SEEN_AFTER
            const expected = may ? began?.key : undefined
            if (may) shown = undefined
            began = undefined
            return gate.end() === expected
          },
          show: (key: string) => {
            gate.show(key, now)
            shown = shown?.key === key ? shown : { key, since: now }
            return true
          },
          hide: () => {
            gate.hide()
            shown = undefined
            return true
          },
        }
        return steps.every(({ kind, key, after }) => {
          now += after
          return acts[kind](key)
        })
      }),
    )
    t.pass('for all sequences')
  },
)

t.test('M12: a message covers no control while the window has a free place for it', async (t) => {
  const box = fc.record({
    left: fc.integer({ min: 0, max: 900 }),
    top: fc.integer({ min: 0, max: 700 }),
    width: fc.integer({ min: 1, max: 400 }),
    height: fc.integer({ min: 1, max: 120 }),
  })
  const area = { left: 0, top: 0, width: 1000, height: 800 }
  const isClear = (place: Box, one: Box) =>
    place.left >= one.left + one.width ||
    one.left >= place.left + place.width ||
    place.top >= one.top + one.height ||
    one.top >= place.top + place.height
  fc.assert(
    fc.property(fc.array(box, { maxLength: 12 }), (boxes) => {
      const size = { width: 300, height: 48 }
      const place = freePlace(
        area,
        size,
        boxes.map((one) => ({ ...one, weight: 1 })),
      )
      const isInside = place.top >= 0 && place.top + 48 <= 800 && place.left >= 0 && place.left + 300 <= 1000
      // A whole row of the window is free: then there is a place.
      const rows = Array.from({ length: 90 }, (_, row) => ({
        left: 0,
        width: 1000,
        top: row * 8,
        height: 56,
      }))
      const hasRow = rows.some((row) => boxes.every((one) => isClear(row, one)))
      return isInside && (!hasRow || boxes.every((one) => isClear(place, one)))
    }),
  )
  t.strictSame(freePlace(area, { width: 300, height: 48 }, []), {
    left: 350,
    top: 752,
    width: 300,
    height: 48,
  })
})
