import t from 'tap'
import { OWN_PAGE, signIn, startConsole } from '../../adapters-http/test/support/console.ts'
import { type ConsolePaths, createClient } from '../src/index.ts'

t.test('M7: the client calls the routes of the console, typed by their document', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  const cookie = await signIn(fixture, 'editor')
  const console = createClient<ConsolePaths>({
    baseUrl: `${fixture.url}/console/api`,
    session: true,
    // A page's browser sends these.
    fetch: async (request) => {
      for (const [name, value] of Object.entries({ ...OWN_PAGE, cookie })) request.headers.set(name, value)
      return fetch(request)
    },
  })
  const session = await console.get('/session')
  t.equal(session.data.session.manager.duty, 'editor')
  const fields = JSON.stringify({ itemTitle: 'Typed' })
  await console.put('/copies/{key}', { path: { key: 'new-1' }, body: { contentType: 'library', fields } })
  const { data } = await console.get('/copies/{key}', { path: { key: 'new-1' } })
  t.equal(data.copy.fields, fields)
  const { data: list } = await console.get('/copies')
  t.equal(list.copies[0]?.copy.title, 'Typed')
  await console.delete('/copies/{key}', { path: { key: 'new-1' } })
  const desk = await console.get('/desk')
  t.equal(desk.data.desk.waiting, 0)
  // @ts-expect-error the API's paths are not the console's
  await t.rejects(console.get('/copies/{nothing}'))
})
