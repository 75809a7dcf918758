import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import t from 'tap'
import { serve } from '../support/almoner.ts'
import { furnish } from '../support/archive.ts'
import { call } from '../support/asking.ts'
import { get, tokenOf } from '../support/client.ts'
import { DEFAULT_DATABASE } from '../support/database.ts'

t.test('I10: readiness says that a table is damaged once a request has met it', async (t) => {
  const folder = t.testdir()
  const credentials = await furnish(folder)
  const file = join(folder, DEFAULT_DATABASE)
  const database = new Driver(file, { readonly: true })
  const page = database
    .prepare("select rootpage from sqlite_master where name = 'label'")
    .pluck()
    .get() as number
  database.close()
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xab, (page - 1) * 4096, page * 4096))
  const server = await serve(folder)
  t.teardown(() => server.stop())
  const { access_token: token } = await tokenOf(server.url, credentials)
  t.equal((await get(`${server.url}/library/label`, token)).status, 503)
  const ready = await call(`${server.url}/health/ready`)
  t.equal(ready.status, 200, 'all other reads go on')
  t.match(await ready.json(), { degraded: [/^database-damaged: .* malformed; almoner doctor/] })
  t.equal((await get(`${server.url}/library/?lim=1`, token)).status, 200)
})
