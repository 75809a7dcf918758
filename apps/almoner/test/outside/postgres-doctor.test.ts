import { sharedCluster } from '@almoner/postgres-server'
import t from 'tap'
import { almoner } from '../support/almoner.ts'

t.test('doctor ends, with 1 and the fix, on a schema that its role may not read', async (t) => {
  const cluster = await sharedCluster()
  await cluster.ask('create role stranger login')
  await cluster.createDatabase('unreadable')
  const media = `file:${t.testdir()}/media`
  const url = cluster.url('unreadable')
  t.match(await almoner(t.testdirName, ['migrate'], { ALMONER_DATABASE: url, ALMONER_MEDIA: media }), {
    code: 0,
  })
  const variables = { ALMONER_DATABASE: url.replace('//almoner@', '//stranger@'), ALMONER_MEDIA: media }
  t.match(await almoner(t.testdirName, ['doctor'], variables), {
    code: 1,
    out: /fault {4}database: .*permission denied for table schema_migrations.*\n.*own the tables/,
  })
  const left = "select 1 from pg_stat_activity where usename = 'stranger'"
  t.strictSame(await cluster.ask(left), [], 'its connections are closed')
})
