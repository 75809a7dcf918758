import type { MediaName } from '@almoner/domain'
import t, { type Test } from 'tap'
import { HASTY, PATIENT, startTroubled, type Trouble } from '../../adapters-media/test/support/troubled.ts'
import { create, look } from './support/items.ts'
import { inBucket, s3Store } from './support/media.ts'
import { seeProblem } from './support/problems.ts'
import { done, startRig } from './support/rig.ts'
import { imagePath, storedIn, upload } from './support/uploads.ts'

// D2, I1: a store that is in trouble makes requests fail clearly, and is used again when it comes back.

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
  const rig = await startRig(t.testdir(), { store: 'memory', images })
  t.teardown(rig.stop)
  await done(rig.ports.mediaStore.put(UPLOAD, { type: 'image/png', bytes: BYTES }))
  const trouble = (kind: Trouble) => {
    store.make(() => kind)
    Object.assign(limits, kind === 'none' ? PATIENT : HASTY)
  }
  return { rig, trouble }
}

for (const kind of ['silence', 'refusal'] as const)
  t.test(`D2, I1: reading while the store answers with ${kind} is 503, and soon right again`, async (t) => {
    const { rig, trouble } = await given(t)
    trouble(kind)
    for (const send of [{}, { headers: { range: 'bytes=0-9' } }, { headers: { 'if-none-match': '"x"' } }]) {
      const answer = await rig.call('GET', PATH, send)
      t.equal(answer.headers.get('retry-after'), '5')
      await seeProblem(t, answer, 'unavailable')
    }
    t.equal((await rig.call('HEAD', PATH)).status, 503)
    t.match(rig.lines.at(-1), /the S3 store: looking for an image/)
    t.notMatch(rig.lines.join(''), /Signature|Credential=|AWS4/i)
    trouble('none')
    const answer = await rig.call('GET', PATH)
    t.equal(answer.status, 200)
    t.ok(Buffer.from(await answer.arrayBuffer()).equals(BYTES))
  })

for (const kind of ['silence', 'refusal'] as const)
  t.test(`D2, D5: an upload while the store answers with ${kind} is 503 and changes nothing`, async (t) => {
    const { rig, trouble } = await given(t)
    const { itemId } = await create(rig, 'library')
    const before = await look(rig, 'library', itemId)
    const names = await storedIn(rig)
    trouble(kind)
    await seeProblem(t, await upload(rig, imagePath('library', itemId)), 'unavailable')
    trouble('none')
    t.strictSame(await look(rig, 'library', itemId), before)
    t.strictSame(await storedIn(rig), names)
    t.equal((await upload(rig, imagePath('library', itemId))).status, 200)
    t.equal((await storedIn(rig)).length, names.length + 1)
  })

for (const kind of ['cut', 'stall'] as const)
  t.test(
    `D2: an image whose bytes end in a ${kind} never passes for whole, and the log says why`,
    async (t) => {
      const { rig, trouble } = await given(t)
      trouble(kind)
      const answer = await rig.call('GET', PATH)
      t.equal(answer.status, 200)
      t.equal(answer.headers.get('content-length'), `${BYTES.length}`)
      await t.rejects(answer.arrayBuffer())
      while (!rig.lines.some((line) => line.includes('failed while answering')))
        await new Promise((resolve) => setImmediate(resolve))
      trouble('none')
      t.equal((await (await rig.call('GET', PATH)).arrayBuffer()).byteLength, BYTES.length)
    },
  )

t.test('D2: a reader that goes away in the middle leaves nothing behind', async (t) => {
  const { rig } = await given(t)
  for (let n = 0; n < 20; n += 1) {
    const answer = await rig.call('GET', PATH)
    await answer.body?.cancel()
  }
  t.equal((await (await rig.call('GET', PATH)).arrayBuffer()).byteLength, BYTES.length)
})
