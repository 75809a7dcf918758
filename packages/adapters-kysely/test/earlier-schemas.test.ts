import t from 'tap'
import { isTranslated, presentRow } from '../src/archive/earlier-schemas.ts'
import { MIGRATIONS } from '../src/schema/migrations/list.ts'

t.test('I4: an export from before time zones of managers is imported with that of the service', async (t) => {
  t.ok(isTranslated('0028-manager-time-zone'))
  t.strictSame(presentRow('manager', { email: 'ada@example.org' }), {
    email: 'ada@example.org',
    time_zone: null,
  })
  t.strictSame(presentRow('manager', { time_zone: 'Europe/Paris' }), { time_zone: 'Europe/Paris' })
  t.strictSame(presentRow('notification', { id: 1, taken_up: 0 }), { id: 1, started: 0 })
})

t.test('exports of every schema since the first can be imported', async (t) => {
  const [, ...later] = MIGRATIONS
  for (const { name } of later) t.ok(isTranslated(name), name)
})
