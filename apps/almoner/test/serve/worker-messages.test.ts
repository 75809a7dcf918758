import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { type MetricValues, makeMetrics } from '@almoner/adapters-http'
import t from 'tap'
import { aggregatedMetrics, type MeteredWorker } from '../../src/composition/http.ts'
import { connect } from '../../src/serve/messages.ts'

/** The two ends of a connection between processes. */
const ends = (): readonly [Worker, Worker] => {
  const [a, b] = [new EventEmitter(), new EventEmitter()]
  const end = (own: EventEmitter, other: EventEmitter) =>
    Object.assign(own, {
      send: (message: unknown, sent: () => void) =>
        queueMicrotask(() => {
          other.emit('message', structuredClone(message))
          sent()
        }),
    }) as unknown as Worker
  return [end(a, b), end(b, a)]
}

t.test(
  'ADR 14: events arrive in order, each call gets its response, and unknown messages of newer programs are ignored',
  async (t) => {
    const [here, there] = ends()
    const seen: Array<string> = []
    const local = { count: (word: string) => void seen.push(word), double: (n: number) => n * 2 }
    const remote = connect<typeof local, object>(here, {})
    connect(there, local)
    here.send({ t: 'q', m: 'of a newer program', a: [] }, () => {})
    void remote.count('one')
    await remote.count('two')
    t.strictSame(await Promise.all([remote.double(1), remote.double(2)]), [2, 4])
    t.strictSame(seen, ['one', 'two'])
  },
)

const requestsCounted = async (requests: number): Promise<MetricValues> => {
  const { registry } = makeMetrics()
  const metrics = await registry.getMetricsAsJSON()
  const durations = metrics.find(({ name }) => name === 'almoner_http_request_duration_seconds')
  const labels = { method: 'GET', route: '/x', status: 200 }
  const metricName = 'almoner_http_request_duration_seconds_count'
  return [{ ...durations, values: [{ value: requests, labels, metricName }] }] as unknown as MetricValues
}

const workerWith = (metrics: () => Promise<MetricValues>): MeteredWorker =>
  ({ ended: new Promise(() => {}), remote: { metrics } }) as unknown as MeteredWorker

t.test('I3: counters of a worker are kept after it ends, once', async (t) => {
  const [first, second] = [workerWith(() => requestsCounted(3)), workerWith(() => requestsCounted(4))]
  let running: ReadonlyArray<MeteredWorker> = [first, second]
  const metrics = aggregatedMetrics(() => running)
  const total = async () => /_count\{.*\} (\d+)$/m.exec(await (await metrics.read()).metrics())?.[1]
  t.equal(await total(), '7')
  metrics.record(first, await requestsCounted(5))
  running = [second]
  metrics.remove(first)
  t.equal(await total(), '9', 'with its last report')
  metrics.record(first, await requestsCounted(6))
  t.equal(await total(), '9', 'a late answer of an ended worker does not count again')
  running = []
  metrics.remove(second)
  t.equal(await total(), '9', 'a killed worker counts with its last report')
})
