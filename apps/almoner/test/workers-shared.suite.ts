import { EventEmitter } from 'node:events'
import type { Figures } from '@almoner/adapters-http'
import { makeMetrics } from '@almoner/adapters-http'
import { type Instant, instant } from '@almoner/domain'
import { failedAttemptsContract } from '@almoner/domain/contracts'
import t from 'tap'
import { requestCounts } from '../src/serve/cluster/counts.ts'
import { failureLog, sharedFailures } from '../src/serve/cluster/failures.ts'
import { gatheredFigures } from '../src/serve/cluster/gathered.ts'
import type { Hand } from '../src/serve/cluster/hand.ts'
import { type Channel, holdLine } from '../src/serve/cluster/line.ts'
import type { Failure } from '../src/serve/cluster/talk.ts'

const at = (seconds: number): Instant => instant(1_700_000_000_000 + seconds * 1000)

failedAttemptsContract(
  (name, test) => void t.test(name, (t) => test({ ok: t.ok.bind(t), same: t.strictSame.bind(t) } as never)),
  () => sharedFailures(() => {}),
)

t.test('A8: what one process notes is told, and what others noted counts here', async (t) => {
  const told: Array<Failure> = []
  const failures = sharedFailures((failure) => told.push(failure))
  failures.add('pair', 'a', at(0))
  failures.hear(['pair', 'a', at(1)], ['address', 'b', at(1)])
  t.strictSame(told, [['pair', 'a', at(0)]], 'what was heard is not told again')
  t.strictSame(failures.of('pair', 'a', at(2)), [at(0), at(1)])
  t.strictSame(failures.of('address', 'b', at(2)), [at(1)])
})

t.test(
  'A8: who begins later is told the failures of the last minute, of which no more are kept than may be',
  async (t) => {
    const log = failureLog(3)
    for (let n = 0; n < 5; n += 1) log.add(['pair', `key ${n}`, at(n)])
    t.strictSame(
      log.recent(at(5)).map(([, key]) => key),
      ['key 2', 'key 3', 'key 4'],
    )
    for (let n = 5; n < 500; n += 1) log.add(['pair', `key ${n}`, at(n)])
    t.strictSame(
      log.recent(at(558)).map(([, key]) => key),
      ['key 499'],
    )
  },
)

t.test('A8: requests are counted by key, in spans of a minute, for a bounded number of keys', async (t) => {
  let now = 0
  const count = requestCounts(() => now, 2)
  t.strictSame(
    [count('a'), count('a')],
    [
      { requests: 1, left: 60_000 },
      { requests: 2, left: 60_000 },
    ],
  )
  now = 59_999
  t.strictSame(count('a'), { requests: 3, left: 1 })
  now = 60_000
  t.strictSame(count('a'), { requests: 1, left: 60_000 })
  for (const key of ['b', 'c']) count(key)
  t.strictSame(count('a').requests, 1, 'the one that asked longest ago is forgotten')
  t.strictSame(count('c').requests, 2)
})

/** Two ends that reach each other. */
const wire = (): readonly [Channel, Channel] => {
  const [a, b] = [new EventEmitter(), new EventEmitter()]
  const channel = (own: EventEmitter, other: EventEmitter): Channel => ({
    send: (message, sent) =>
      queueMicrotask(() => {
        other.emit('message', structuredClone(message))
        sent()
      }),
    receive: (listener) => void own.on('message', listener),
  })
  return [channel(a, b), channel(b, a)]
}

interface Counting {
  readonly tells: { readonly word: string }
  readonly asks: { readonly twice: { readonly question: number; readonly answer: number } }
}
interface Silent {
  readonly tells: object
  readonly asks: Record<never, never>
}

t.test(
  'a line: what is told arrives in order, each question gets its answer, what is unknown is passed over',
  async (t) => {
    const [here, there] = wire()
    const words: Array<string> = []
    const line = holdLine<Counting, Silent>(here, { tells: {}, asks: {} })
    holdLine<Silent, Counting>(there, {
      tells: { word: (word) => words.push(word) },
      asks: { twice: async (n) => n * 2 },
    })
    here.send({ kind: 'tell', name: 'of another age', body: 1 }, () => {})
    here.send({ kind: 'ask', name: 'of another age', body: 1, id: 99 }, () => {})
    void line.tell('word', 'one')
    await line.tell('word', 'two')
    t.strictSame(words, ['one', 'two'])
    t.strictSame(await Promise.all([line.ask('twice', 1), line.ask('twice', 2)]), [2, 4])
  },
)

const figuresOf = async (requests: number): Promise<Figures> => {
  const { registry } = makeMetrics()
  registry.removeSingleMetric('process_cpu_seconds_total')
  const figures = await registry.getMetricsAsJSON()
  const durations = figures.find(({ name }) => name === 'almoner_http_request_duration_seconds')
  const labels = { method: 'GET', route: '/x', status: 200 }
  const metricName = 'almoner_http_request_duration_seconds_count'
  return [{ ...durations, values: [{ value: requests, labels, metricName }] }] as unknown as Figures
}

const handTelling = (figures: () => Promise<Figures>): Hand =>
  ({ ended: new Promise(() => {}), line: { ask: () => figures() } }) as unknown as Hand

t.test('I3: what a worker has counted is kept when it ends, once', async (t) => {
  const [first, second] = [handTelling(() => figuresOf(3)), handTelling(() => figuresOf(4))]
  let living: ReadonlyArray<Hand> = [first, second]
  const figures = gatheredFigures(() => living)
  const total = async () =>
    / (\d+)$/m.exec((await figures.read()).split('\n').find((line) => line.includes('_count{')) ?? '')?.[1]
  t.equal(await total(), '7')
  figures.last(first, await figuresOf(5))
  living = [second]
  figures.parted()
  t.equal(await total(), '9', 'with what it told at its end')
  t.equal(await total(), '9')
  living = []
  t.equal(await total(), '9', 'a worker that was killed counts with what it told last')
})
