import t from 'tap'
import { buildCorpus, type Expectation, type Upload } from '../../../adapters-media/test/corpus.ts'
import { create, look, onServer } from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'
import { filesIn, imagePath, served, upload } from '../support/uploads.ts'

// D1: the responses to every upload of the corpus over HTTP, and the stored files. Uploads that library and feed treat differently go to both,
// the others alternate: the tests of the checker cover both. On one store, because images are decoded before the store is used.

const CODES = {
  'too-large': 'content_too_large',
  unsupported: 'unsupported_media_type',
  broken: 'invalid_image',
  animated: 'invalid_image',
  'wrong-size': 'invalid_image',
} as const satisfies Readonly<Record<Exclude<Expectation, 'ok'>, string>>

const corpus = await buildCorpus()

/** The type of a stored upload, according to its content. */
const typeOf = ({ bytes }: Upload): string => (bytes[0] === 0xff ? 'image/jpeg' : 'image/png')

const EXPECTED = {
  feed: (one: Upload) => one.expectFeed,
  library: (one: Upload) => one.expectLibrary,
}

for (const [turn, contentType] of (['feed', 'library'] as const).entries())
  onServer(
    t,
    `D1: each upload of the corpus to the ${contentType} has its expected result`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      const path = imagePath(contentType, itemId)
      for (const [n, one] of corpus.entries()) {
        if (one.expectFeed === one.expectLibrary && n % 2 !== turn) continue
        const expected = EXPECTED[contentType](one)
        const before = await look(fixture, contentType, itemId)
        const files = filesIn(fixture)
        const answer = await upload(fixture, path, {
          bytes: one.bytes,
          type: one.declaredType,
          name: one.fileName,
        })
        const after = await look(fixture, contentType, itemId)
        if (expected === 'ok') {
          t.equal(answer.status, 200, one.name)
          t.equal(filesIn(fixture).length, 1, 'D5: one file, the previous one is deleted')
          t.notSame(filesIn(fixture), files)
          const image = await served(fixture, after.item.itemRelatedLink)
          t.equal(image.status, 200)
          t.equal(image.headers.get('content-type'), typeOf(one), 'D2: the type follows the content')
        } else {
          const { errors } = await seeProblem(t, answer, CODES[expected], one.name)
          if (CODES[expected] === 'invalid_image') t.match(errors, [{ field: 'itemUploadMedia' }])
          t.strictSame(after, before, 'the item is unchanged')
          t.strictSame(filesIn(fixture), files, 'no file is left over, and none is lost')
        }
      }
      t.equal(
        fixture.lines.filter((line) => line.includes('"level":50')).length,
        0,
        'none of them is an internal error',
      )
    },
  )
