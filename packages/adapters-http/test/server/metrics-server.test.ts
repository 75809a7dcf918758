import { Histogram, Registry } from '@prometheus-io/client'
import fc from 'fast-check'
import t from 'tap'
import { makeMetrics, startMetricsServer } from '../../src/index.ts'
import { countDurations } from '../../src/metrics/responses.ts'
import { send } from '../support/raw.ts'

t.test('I3: unreadable metrics are a 500 and a log line, and the server continues', async (t) => {
  let isBroken = true
  const { registry } = makeMetrics()
  const metrics = async () => {
    if (isBroken) throw new Error('a gauge is broken')
    return 'almoner_up 1\n'
  }
  const read = async () => ({ contentType: registry.contentType, metrics })
  const lines: Array<unknown> = []
  const logger = { error: (...line: ReadonlyArray<unknown>) => void lines.push(line) }
  const { url, close } = await startMetricsServer({ host: '127.0.0.1', port: 0 }, read, logger)
  t.equal((await fetch(`${url}/metrics`)).status, 500)
  t.match(lines, [[{ err: { message: 'a gauge is broken' } }, 'metrics cannot be read']])
  isBroken = false
  t.equal(await (await fetch(`${url}/metrics`)).text(), 'almoner_up 1\n')
  for (const target of ['http://almoner.example.org:9464/metrics', 'HTTP://[::1]/metrics?x=1'])
    t.equal((await send(url, 'GET', target)).status, 200, 'B3: a target in absolute form')
  t.equal((await send(url, 'GET', 'http://almoner.example.org')).status, 404)
  close()
})

t.test(
  'I3: durations are shown as the histogram of the library shows them, as text and as JSON',
  async () => {
    const options = { name: 'took_seconds', help: 'How long it took.', buckets: [0.001, 0.25, 1] }
    const milliseconds = fc.oneof(
      fc.constantFrom(0, 1, 1.5, 250, 1000, 1001),
      fc.double({ min: 0, max: 2000, noNaN: true }),
    )
    const added = fc.array(fc.tuple(fc.constantFrom('GET', 'POST'), fc.constantFrom(200, 404), milliseconds))
    await fc.assert(
      fc.asyncProperty(added, async (all) => {
        const [own, library] = [new Registry(), new Registry()]
        const labelNames = ['method', 'status'] as const
        const series = countDurations(own, { ...options, labelNames })
        const histogram = new Histogram({ ...options, labelNames, registers: [library] })
        const known = new Map<string, ReturnType<typeof series>>()
        for (const [method, status, duration] of all) {
          const key = `${method} ${status}`
          if (!known.has(key)) known.set(key, series({ method, status }))
          known.get(key)?.(duration)
          histogram.observe({ method, status }, duration / 1000)
        }
        const texts = await Promise.all([own.metrics(), library.metrics()])
        const values = await Promise.all([own.getMetricsAsJSON(), library.getMetricsAsJSON()])
        const merged = await Promise.all(values.map((one) => Registry.aggregate([one, one]).metrics()))
        return texts[0] === texts[1] && merged[0] === merged[1]
      }),
      { numRuns: 50 },
    )
  },
)
