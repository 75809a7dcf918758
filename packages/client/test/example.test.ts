import t from 'tap'
import { newLibraryItem } from '../../adapters-http/test/support/samples.ts'
import { startService } from './support/service.ts'

t.test('the example of the README runs: it lists, posts and publishes', async (t) => {
  const { fixture } = await startService(t)
  await newLibraryItem(fixture, { itemTitle: 'Found' })
  const said = t.capture(console, 'log')
  Object.assign(process.env, {
    API_URL: fixture.url,
    CLIENT_ID: 'manager',
    CLIENT_SECRET: fixture.secrets.manager,
  })
  await import('./example.ts')
  t.same(said.args(), [['Draft', 'Found']], 'without an error')
  const { items } = (await (await fixture.call('GET', '/feed/', { as: 'user' })).json()) as {
    items: ReadonlyArray<unknown>
  }
  t.match(items, [{ item: { itemTitle: 'A new well', status: 'Live' } }])
})
