import t from 'tap'
import type { UploadLimits } from '../../src/request/uploads.ts'
import { OWN_PAGE, onBoth, signIn, startConsole } from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'
import { LIBRARY_ITEM, newLibraryItem } from '../support/samples.ts'
import { fileForm, imagePath } from '../support/uploads.ts'

onBoth('I4: managers share no idempotency keys', async (t, fixture) => {
  const create = async (duty: 'editor' | 'operator', itemTitle: string) => {
    const headers = { cookie: await signIn(fixture, duty), ...OWN_PAGE, 'idempotency-key': 'same' }
    return fixture.call('POST', '/console/api/library/', { json: { ...LIBRARY_ITEM, itemTitle }, headers })
  }
  const first = await create('editor', 'Of the editor')
  const other = await create('operator', 'Of the operator')
  t.match([first.status, other.status], [200, 200])
  t.match(await other.text(), /Of the operator/)
  const repeated = await create('editor', 'Of the editor')
  t.equal(repeated.headers.get('idempotency-replayed'), 'true', 'another session of the same manager')
  t.same(await repeated.json(), await first.json())
})

t.test('A8: the general limit counts by manager, and not together with clients of the API', async (t) => {
  const rateLimit = { max: 2, milliseconds: 3_600_000 }
  const fixture = await startConsole(t.testdir(), { rateLimit })
  t.teardown(fixture.stop)
  const list = async (cookie: string) => fixture.call('GET', '/console/api/library/', { headers: { cookie } })
  const [editor, operator] = [await signIn(fixture, 'editor'), await signIn(fixture, 'operator')]
  for (let n = 0; n < 2; n += 1) t.equal((await list(editor)).status, 200)
  await seeProblem(t, await list(editor), 'too_many_requests')
  t.equal((await list(await signIn(fixture, 'editor'))).status, 429, 'another session of the same manager')
  t.equal((await list(operator)).status, 200)
  t.equal((await fixture.call('GET', '/library/', { as: 'manager' })).status, 200)
})

t.test('D1: uploads of the console and of the API share one limit', async (t) => {
  let limits: UploadLimits | undefined
  const fixture = await startConsole(t.testdir(), {
    part: async (_app, { uploads }) => {
      limits = uploads
    },
  })
  t.teardown(fixture.stop)
  const cookie = await signIn(fixture, 'editor')
  const itemId = await newLibraryItem(fixture)
  const path = imagePath('library', itemId)
  const statuses = async () => {
    const own = { headers: { cookie, ...OWN_PAGE }, multipart: fileForm() }
    const onConsole = await fixture.call('POST', `/console/api${path}`, own)
    const onApi = await fixture.call('POST', path, { as: 'manager', multipart: fileForm() })
    return [onConsole.status, onApi.status]
  }
  t.same(await statuses(), [200, 200])
  // Twelve at a time, and a hundred that wait.
  const acquired = Array.from({ length: 112 }, () => limits?.authenticated())
  t.same(await statuses(), [503, 503])
  for (const one of acquired) (await one)?.()
  t.same(await statuses(), [200, 200])
})
