import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { keys, server } from './service.ts'

let url = ''
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`
})
after(() => server.close())

const POST = { itemType: 'photo', itemTitle: 'A new well', itemDescription: 'Clean water since Monday.' }
const call = (key: string, body?: unknown) =>
  fetch(url, {
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
const jsonOf = async <A>(answer: Response): Promise<A> => (await answer.json()) as A

test('a donor posts, the manager sees the Draft, and the donor does not', async () => {
  const posted = await call(keys.donor, POST)
  assert.equal(posted.status, 200)
  assert.equal((await jsonOf<{ status: string }>(posted)).status, 'Draft')
  assert.equal((await jsonOf<unknown[]>(await call(keys.manager))).length, 1)
  assert.deepEqual(await jsonOf(await call(keys.donor)), [])
})

test('every bad field is named', async () => {
  const refused = await call(keys.donor, { ...POST, itemTitle: '', lang: 'de' })
  assert.equal(refused.status, 400)
  const { errors } = await jsonOf<{ errors: Array<{ field: string }> }>(refused)
  assert.deepEqual(errors.map(({ field }) => field).sort(), ['itemTitle', 'lang'])
})

test('a caller without a key is not authenticated', async () => {
  assert.equal((await call('guess')).status, 401)
})
