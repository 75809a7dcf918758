import Fastify from 'fastify'
import t from 'tap'
import { limitByClient } from '../../src/plugins/rate-limit.ts'

const YEARS = 3 * 365 * 24 * 60 * 60 * 1000

for (const step of [2 * 60 * 60 * 1000, -2 * 60 * 60 * 1000, YEARS, -YEARS])
  t.test(`I9: a limit holds for its own length where the clock is set by ${step / 1000} s`, async (t) => {
    const [real, app] = [Date.now, Fastify()]
    t.teardown(() => {
      Date.now = real
      return app.close()
    })
    let monotonic = 1000
    const [check] = limitByClient({ max: 2, milliseconds: 60_000 }, () => monotonic)
    app.get('/', { preHandler: check ?? [] }, async () => 'yes')
    const ask = async () => {
      const { statusCode, headers } = await app.inject('/')
      return [statusCode, headers['retry-after']]
    }
    t.strictSame(await ask(), [200, undefined])
    t.strictSame(await ask(), [200, undefined])
    Date.now = () => real() + step
    t.strictSame(await ask(), [429, '60'])
    monotonic += 59_999
    t.strictSame(await ask(), [429, '1'])
    monotonic += 1
    t.strictSame(await ask(), [200, undefined])
  })
