import t from 'tap'
import { newLibraryItem } from '../../adapters-http/test/support/samples.ts'
import { startService } from './support/service.ts'

t.test('the example of the README runs: it lists, posts and publishes', async (t) => {
  const { rig } = await startService(t)
  await newLibraryItem(rig, { itemTitle: 'Found' })
  const said = t.capture(console, 'log')
  Object.assign(process.env, { API_URL: rig.url, CLIENT_ID: 'manager', CLIENT_SECRET: rig.secrets.manager })
  await import('./example.ts')
  t.same(said.args(), [['Draft', 'Found']], 'and no fault')
  const { items } = (await (await rig.call('GET', '/feed/', { as: 'user' })).json()) as {
    items: ReadonlyArray<unknown>
  }
  t.match(items, [{ item: { itemTitle: 'A new well', status: 'Live' } }])
})
