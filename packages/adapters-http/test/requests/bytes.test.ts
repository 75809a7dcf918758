import t, { type Test } from 'tap'
import { startFixture } from '../support/fixture.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { newLibraryItem } from '../support/samples.ts'

// Bytes that are no UTF-8, in the encodings that carry their parameters apart: the other parameters can still be read.

const start = async (t: Test) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  return fixture
}

type Parts = ReadonlyArray<readonly [name: string, value: Uint8Array | string]>

const multipartOf = (parts: Parts) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  body: Buffer.concat([
    ...parts.flatMap(([name, value]) => [
      Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--edge--\r\n'),
  ]),
})

const formOf = (parts: Parts) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.concat(parts.flatMap(([name, value]) => [Buffer.from(`&${name}=`), Buffer.from(value)])),
})

const NO_UTF_8 = Buffer.of(0x61, 0xff)

for (const [encoding, send] of [
  ['form', formOf],
  ['multipart', multipartOf],
] as const)
  t.test(`I1: invalid UTF-8 in a ${encoding} is named, with every other bad field`, async (t) => {
    const fixture = await start(t)
    const create = (parts: Parts) => fixture.call('POST', '/feed/', { as: 'donor', ...send(parts) })
    const sent = [
      ['itemTitle', NO_UTF_8],
      ['itemType', 'photo'],
      ['itemDescription', NO_UTF_8],
      ['lang', 'de'],
    ] as const
    const problem = await seeProblem(t, await create(sent), 'invalid_request')
    t.strictSame([...fieldsOf(problem)].sort(), ['itemDescription', 'itemTitle', 'lang'])
    const unknown = [
      ['itemType', 'photo'],
      ['itemTitle', 'A'],
      ['itemDescription', 'B'],
      ['another', NO_UTF_8],
    ] as const
    t.equal((await create(unknown)).status, 200, 'B2: unknown parameters are ignored')
  })

t.test('B10: a part named itemUploadMedia is a file, with or without a file name', async (t) => {
  const fixture = await start(t)
  const itemId = await newLibraryItem(fixture)
  const upload = (bytes: Uint8Array) =>
    fixture.call('POST', `/library/${itemId}/media/cover`, {
      as: 'manager',
      ...multipartOf([['itemUploadMedia', bytes]]),
    })
  const cut = await upload(Buffer.of(0xff, 0xd8, 0xff, 0xe0))
  t.strictSame(fieldsOf(await seeProblem(t, cut, 'invalid_image')), ['itemUploadMedia'])
  const none = await upload(Buffer.of())
  t.strictSame(fieldsOf(await seeProblem(t, none, 'invalid_request')), ['itemUploadMedia'], 'absent')
})

t.test('A4: invalid UTF-8 in a token request is invalid_request', async (t) => {
  const fixture = await start(t)
  const sent = formOf([
    ['grant_type', 'client_credentials'],
    ['client_id', 'donor'],
    ['client_secret', NO_UTF_8],
  ])
  const answer = await fixture.call('POST', '/oauth2/get-token', sent)
  t.equal(answer.status, 400)
  t.match(await answer.json(), { error: 'invalid_request', error_description: /^client_secret / })
})
