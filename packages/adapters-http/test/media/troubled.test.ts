import type { MediaName } from '@almoner/domain/media'
import t, { type Test } from 'tap'
import { HASTY, PATIENT, startTroubled, type Trouble } from '../../../adapters-media/test/support/troubled.ts'
import { done, startFixture } from '../support/fixture.ts'
import { create, look } from '../support/items.ts'
import { inBucket, s3Store } from '../support/media.ts'
import { seeProblem } from '../support/problems.ts'
import { imagePath, storedIn, upload } from '../support/uploads.ts'

// D2, I1: requests fail clearly while the store fails, and work again when it recovers.

const UPLOAD = 'an_image-that-was-uploaded.png' as MediaName
const BYTES = Buffer.alloc(300_000, 7)
const PATH = `/static/media/${UPLOAD}`

const given = async (t: Test) => {
  const { endpoint } = await s3Store()
  const store = await startTroubled(endpoint)
  t.teardown(store.stop)
  // Read with each request.
  const limits = { ...PATIENT }
  const images = inBucket({ endpoint: store.endpoint, limits })
  const fixture = await startFixture(t.testdir(), { store: 'memory', images })
  t.teardown(fixture.stop)
  await done(fixture.ports.mediaStore.put(UPLOAD, { type: 'image/png', bytes: BYTES }))
  const trouble = (kind: Trouble) => {
    store.make(() => kind)
    Object.assign(limits, kind === 'none' ? PATIENT : HASTY)
  }
  return { fixture, trouble }
}

for (const kind of ['silence', 'refusal'] as const)
  t.test(
    `D2, I1: reading while the store fails with ${kind} is 503, and works again soon after`,
    async (t) => {
      const { fixture, trouble } = await given(t)
      trouble(kind)
      for (const send of [{}, { headers: { range: 'bytes=0-9' } }, { headers: { 'if-none-match': '"x"' } }]) {
        const answer = await fixture.call('GET', PATH, send)
        t.equal(answer.headers.get('retry-after'), '5')
        await seeProblem(t, answer, 'unavailable')
      }
      t.equal((await fixture.call('HEAD', PATH)).status, 503)
      t.match(fixture.lines.at(-1), /the S3 store: looking for an image/)
      t.notMatch(fixture.lines.join(''), /Signature|Credential=|AWS4/i)
      trouble('none')
      const answer = await fixture.call('GET', PATH)
      t.equal(answer.status, 200)
      t.ok(Buffer.from(await answer.arrayBuffer()).equals(BYTES))
    },
  )

for (const kind of ['silence', 'refusal'] as const)
  t.test(`D2, D5: an upload while the store fails with ${kind} is 503 and changes nothing`, async (t) => {
    const { fixture, trouble } = await given(t)
    const { itemId } = await create(fixture, 'library')
    const before = await look(fixture, 'library', itemId)
    const names = await storedIn(fixture)
    trouble(kind)
    await seeProblem(t, await upload(fixture, imagePath('library', itemId)), 'unavailable')
    trouble('none')
    t.strictSame(await look(fixture, 'library', itemId), before)
    t.strictSame(await storedIn(fixture), names)
    t.equal((await upload(fixture, imagePath('library', itemId))).status, 200)
    t.equal((await storedIn(fixture)).length, names.length + 1)
  })

for (const kind of ['cut', 'stall'] as const)
  t.test(
    `D2: an image whose bytes end with ${kind} is not mistaken for a complete one, and the log has the reason`,
    async (t) => {
      const { fixture, trouble } = await given(t)
      trouble(kind)
      const answer = await fixture.call('GET', PATH)
      t.equal(answer.status, 200)
      t.equal(answer.headers.get('content-length'), `${BYTES.length}`)
      await t.rejects(answer.arrayBuffer())
      while (!fixture.lines.some((line) => line.includes('failed while answering')))
        await new Promise((resolve) => setImmediate(resolve))
      trouble('none')
      t.equal((await (await fixture.call('GET', PATH)).arrayBuffer()).byteLength, BYTES.length)
    },
  )

t.test('D2: a reader that disconnects midway leaves nothing open', async (t) => {
  const { fixture } = await given(t)
  for (let n = 0; n < 20; n += 1) {
    const answer = await fixture.call('GET', PATH)
    await answer.body?.cancel()
  }
  t.equal((await (await fixture.call('GET', PATH)).arrayBuffer()).byteLength, BYTES.length)
})
