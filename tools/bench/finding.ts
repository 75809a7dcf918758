// Measures searches of a large library on SQLite, without caches, through the repositories:
//   node tools/bench/finding.ts [--items 1000000] [--file FILE]
// A FILE that is there already is used as it is.
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as O from 'fp-ts/lib/Option.js'
import { collect, done, sampleDay } from '../../packages/domain/contracts/index.ts'
import { type ItemFilters, type LabelId, type LocalDate, SearchWords } from '../../packages/domain/src/all.ts'
import { fillFinding, makeTexts, WORDS } from './finding-dataset.ts'
import { openStore } from './store.ts'

const { values } = parseArgs({
  options: { items: { type: 'string', default: '1000000' }, file: { type: 'string' } },
})
const file = values.file ?? join(mkdtempSync(join(tmpdir(), 'almoner-finding-')), 'almoner.db')
const isFilled = existsSync(file)
const { engine, libraryItems, labels } = await openStore(file)
if (!isFilled) await fillFinding(engine, Number(values.items))

const NONE: ItemFilters<LocalDate> = {
  words: [],
  labelId: O.none,
  status: O.none,
  isDonorRestricted: O.none,
  from: O.none,
  until: O.none,
}
const [EVERYTHING, PUBLIC] = [
  { kind: 'everything' },
  { kind: 'published', restricted: false, until: O.none },
] as const

const ROUNDS = 400

const measure = async (name: string, run: (round: number) => Promise<unknown>): Promise<void> => {
  const times: Array<number> = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now()
    await run(round)
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * ROUNDS)]?.toFixed(2)
  process.stdout.write(`${name}: median ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms\n`)
}

const page = async (
  filters?: Partial<ItemFilters<LocalDate>>,
  visibility: typeof EVERYTHING | typeof PUBLIC = PUBLIC,
  lim = 100,
) =>
  collect(
    await done(
      libraryItems.list(
        { visibility, lang: O.none, filters: filters && { ...NONE, ...filters } },
        { lim: O.some(lim), offset: 0, after: O.none },
      ),
    ),
  )

const wordsOf = (text: string): ReadonlyArray<string> => {
  const decoded = SearchWords.decode(text)
  return decoded._tag === 'Right' ? decoded.right : []
}
const { word } = makeTexts(7)
const label = (n: number) => ({ labelId: O.some(`label-${n}` as LabelId) })
const between = (first: number, last: number, round: number) =>
  WORDS[first + ((round * 7919) % (last - first))]

for (const visibility of [PUBLIC, EVERYTHING]) {
  process.stdout.write(`${visibility.kind}, 100 items a page\n`)
  await measure('without filters', () => page(undefined, visibility))
  await measure('without filters, with labels', async () => {
    const found = await page(undefined, visibility)
    await done(
      labels.ofItems(
        'library',
        found.map(({ id }) => id),
      ),
    )
  })
  for (const n of [1, 5, 10, 19]) await measure(`label ${n}`, () => page(label(n), visibility))
  for (const status of ['Live', 'Draft', 'Archived'] as const)
    await measure(`status ${status}`, () => page({ status: O.some(status) }, visibility))
  await measure('two words of a text', () => page({ words: wordsOf(`${word()} ${word()}`) }, visibility))
  for (const [first, last] of [
    [0, 20],
    [20, 100],
    [100, 500],
    [500, 2000],
    [2000, 20_000],
  ] as const)
    await measure(`two words of rank ${first} to ${last}`, (round) =>
      page(
        { words: wordsOf(`${between(first, last, round)} ${between(first, last, round + 1)}`) },
        visibility,
      ),
    )
  await measure('two beginnings of two letters', (round) =>
    page({ words: wordsOf(`${word().slice(0, 2)} ${between(0, 500, round)?.slice(0, 2)}`) }, visibility),
  )
  await measure('a rare and a frequent word', (round) =>
    page({ words: wordsOf(`${between(5000, 20_000, round)} ${between(0, 10, round)}`) }, visibility),
  )
  await measure('a word with a label', (round) =>
    page({ words: wordsOf(between(0, 500, round) ?? ''), ...label(2) }, visibility),
  )
  await measure('a word in a year', (round) =>
    page(
      {
        words: wordsOf(between(0, 500, round) ?? ''),
        from: O.some(sampleDay(365)),
        until: O.some(sampleDay(730)),
      },
      visibility,
    ),
  )
}
await engine.close()
