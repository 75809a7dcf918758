import t from 'tap'
import { makeMetrics, startMetricsServer } from '../../src/index.ts'
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
