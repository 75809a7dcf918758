import { makeVersions } from '@almoner/adapters-kysely'
import { type DataPart, itemPart } from '@almoner/domain/history'
import type { ItemId } from '@almoner/domain/values'
import fc from 'fast-check'
import t from 'tap'
import { type CacheContents, makeContents, type SentResponse } from '../../src/plugins/cached-entries.ts'

// I8: no response that was read before a change and stored after it is served once this process knows of the change.

const [first, second] = ['1', '2'].map((n) =>
  itemPart('feed', `0189000${n}-0000-7000-8000-000000000000` as ItemId),
) as [DataPart, DataPart]

/** What changes, and what responses are read from; an area is read with its items. */
const CHANGES: ReadonlyArray<ReadonlyArray<DataPart>> = [
  [first],
  [second],
  [first, second],
  ['feed'],
  ['labels'],
]
const READS: ReadonlyArray<ReadonlyArray<DataPart>> = [
  [first],
  [second],
  ['feed'],
  ['labels', first],
  ['labels'],
]

/** The parts behind a part. */
const behind = (part: DataPart): ReadonlyArray<DataPart> => (part === 'feed' ? [first, second] : [part])

const step = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), what: fc.nat({ max: READS.length - 1 }) }),
  fc.record({ kind: fc.constantFrom('read' as const, 'store' as const), which: fc.nat({ max: 5 }) }),
  fc.record({
    kind: fc.constant('commit' as const),
    what: fc.nat({ max: CHANGES.length - 1 }),
    isOwn: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom('signal' as const, 'minute' as const, 'conflict' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** How a server uses the cache. */
interface Use {
  /** Whether the state of the data is taken when a response is stored, not before it is read. */
  readonly takesStateLate?: boolean
  /** The parts that are said to be read. */
  readonly said?: (parts: ReadonlyArray<DataPart>) => ReadonlyArray<DataPart>
}

interface Reading {
  readonly key: string
  readonly parts: ReadonlyArray<DataPart>
  readonly entries: ReturnType<CacheContents['entries']>
  readonly state: ReturnType<CacheContents['stateOf']>
  seen?: Map<DataPart, number>
}

/** Runs steps on a cache, and returns whether each response that it then has is one with all changes that this process knew of. */
const run = (
  steps: ReadonlyArray<Step>,
  { takesStateLate = false, said = (parts) => parts }: Use,
): boolean => {
  const versions = makeVersions(1)
  let now = 0
  const contents = makeContents({ bytes: 40_000, version: versions.of }, () => now)
  /** The last change of each part, as it is committed, and as this process knows. */
  const [committed, known] = [new Map<DataPart, number>(), new Map<DataPart, number>()]
  const signals: Array<ReadonlyArray<DataPart>> = []
  const readings: Array<Reading> = []

  const hear = (parts: ReadonlyArray<DataPart>): void => {
    versions.count(parts)
    for (const part of parts.flatMap(behind)) known.set(part, committed.get(part) ?? 0)
  }
  const begin = (what: number): void => {
    const parts = READS[what] ?? []
    const [entries, state] = [contents.entries(), contents.stateOf(said(parts))]
    readings.push({ key: String(what), parts, entries, state })
  }
  const read = (reading: Reading | undefined): void => {
    if (reading !== undefined) reading.seen ??= new Map(committed)
  }
  const store = (reading: Reading | undefined): void => {
    if (reading?.seen === undefined) return
    const { key, parts, entries, seen } = reading
    const state = takesStateLate ? contents.stateOf(said(parts)) : reading.state
    entries.sent.set(key, seen as unknown as SentResponse, state, 1000)
    readings.splice(readings.indexOf(reading), 1)
  }
  const commit = (parts: ReadonlyArray<DataPart>, n: number, isOwn: boolean): void => {
    for (const part of parts.flatMap(behind)) committed.set(part, n)
    if (isOwn) hear(parts)
    else signals.push(parts)
  }
  const others = {
    signal: () => {
      for (const parts of signals.splice(0)) hear(parts)
    },
    minute: () => {
      now += 60_000
    },
    conflict: () => contents.clear(),
  }
  const perform = (one: Step, n: number): void => {
    if (one.kind === 'begin') begin(one.what)
    else if (one.kind === 'commit') commit(CHANGES[one.what] ?? [], n + 1, one.isOwn)
    else if ('which' in one) {
      const reading = readings[one.which % Math.max(1, readings.length)]
      if (one.kind === 'read') read(reading)
      else store(reading)
    } else others[one.kind]()
  }
  const isFresh = (parts: ReadonlyArray<DataPart>, which: number): boolean => {
    const served = contents.entries().sent.get(String(which)) as unknown as Map<DataPart, number> | undefined
    const isThere = (part: DataPart) => (served?.get(part) ?? 0) >= (known.get(part) ?? 0)
    return served === undefined || parts.flatMap(behind).every(isThere)
  }
  return steps.every((one, n) => {
    perform(one, n)
    return READS.every(isFresh)
  })
}

const steps = fc.array(step, { maxLength: 60 })
const property = (use: Use = {}) => fc.property(steps, (all) => run(all, use))

t.test(
  'I8: over any interleaving of reads, commits, signals and stores a served response has each known change',
  (t) => {
    fc.assert(property(), { numRuns: 3000 })
    t.end()
  },
)

t.test(
  'the property finds a cache that takes the state of the data late, and one with too few parts',
  (t) => {
    const faulty: ReadonlyArray<Use> = [{ takesStateLate: true }, { said: (parts) => parts.slice(1) }]
    for (const use of faulty) t.ok(fc.check(property(use), { numRuns: 3000 }).failed, Object.keys(use).join())
    t.end()
  },
)

t.test('I8: a response stays while other items and areas change', (t) => {
  const versions = makeVersions()
  const contents = makeContents({ bytes: 40_000, version: versions.of }, () => 0)
  const { sent } = contents.entries()
  const response = {} as SentResponse
  for (const [key, parts] of READS.entries()) sent.set(String(key), response, contents.stateOf(parts), 1000)
  for (let n = 0; n < 50; n += 1) versions.count([second, 'people'])
  t.strictSame(
    READS.map((_, key) => sent.get(String(key)) === response),
    [true, false, false, true, true],
  )
  t.end()
})

t.test('a response stays while others that were overtaken fill the cache', (t) => {
  const versions = makeVersions()
  const contents = makeContents({ bytes: 10_000, version: versions.of }, () => 0)
  const response = {} as SentResponse
  contents.entries().sent.set('labels', response, contents.stateOf(['labels']), 1000)
  for (let n = 0; n < 100; n += 1) {
    contents.entries().sent.set(`feed ${n}`, response, contents.stateOf(['feed']), 1000)
    versions.count([first])
  }
  t.equal(contents.entries().sent.get('labels'), response)
  for (let n = 0; n < 20; n += 1)
    contents.entries().sent.set(`feed ${n}`, response, contents.stateOf(['feed']), 1000)
  t.equal(contents.entries().sent.get('labels'), undefined, 'but not while present ones do')
  t.end()
})
