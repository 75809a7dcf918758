import { done, failure, sampleManager } from '@almoner/testkit/contracts'
import { memoryPorts, setClock } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { callerWith, donor, manager } from './fixtures/fixture.ts'

const DAYS = 86_400_000

const ada = sampleManager('ada')
const editor = callerWith(['content-manager'], [], ada.email)

const start = async () => {
  const clock = setClock()
  const ports = memoryPorts({ clock })
  await done(ports.managers.add(ada))
  return {
    ports,
    clock,
    desk: domain.createAlmoner(ports).console,
    maintenance: domain.createAlmoner(ports).maintenance,
  }
}

const TYPED = {
  key: 'new-1',
  contentType: 'library',
  fields: '{"itemTitle":"Wat","publicationDate":"31.2."}',
}

t.test('M7: a working copy is stored as typed, valid or not, and belongs to the caller', async (t) => {
  const { ports, desk } = await start()
  const put = await done(desk.putCopy(editor, read(domain.PutCopy, TYPED)))
  const one = read(domain.OneCopy, { key: 'new-1' })
  const updatedAt = ports.clock.now()
  t.strictSame(put, {
    ...{ email: ada.email, key: 'new-1', contentType: 'library', baseETag: '', updatedAt },
    title: 'Wat',
  })
  t.strictSame(await done(desk.listCopies(editor, {})), [put])
  t.strictSame((await done(desk.getCopy(editor, one))).fields, JSON.parse(TYPED.fields))
  const eve = callerWith(['content-manager'], [], 'eve@example.org')
  t.equal(await failure(desk.getCopy(eve, one)), 'CopyNotFound')
  t.equal(
    await failure(desk.putCopy(eve, read(domain.PutCopy, TYPED))),
    'NoSession',
    'no manager any more (A9)',
  )
  await done(desk.deleteCopy(eve, one))
  t.equal((await done(desk.listCopies(editor, {}))).length, 1)
  await done(desk.deleteCopy(editor, one))
  t.strictSame(await done(desk.listCopies(editor, {})), [])
})

t.test('M7: working copies need a manager with an address', async (t) => {
  const { desk } = await start()
  t.equal(await failure(desk.listCopies(donor, {})), 'InsufficientScope')
  t.equal(await failure(desk.listCopies(manager, {})), 'NoActingUser')
  t.equal(await failure(desk.putCopy(manager, read(domain.PutCopy, TYPED))), 'NoActingUser')
})

t.test('M7: a working copy is deleted 90 days after its last change', async (t) => {
  const { clock, desk, maintenance } = await start()
  await done(desk.putCopy(editor, read(domain.PutCopy, TYPED)))
  clock.advance(60 * DAYS)
  await done(desk.putCopy(editor, read(domain.PutCopy, TYPED)))
  clock.advance(90 * DAYS)
  t.equal(await done(maintenance.purgeCopies()), 0)
  clock.advance(1)
  t.equal(await done(maintenance.purgeCopies()), 1)
})

t.test('M7: fields are the JSON text of an object of texts', async (t) => {
  const errors = (raw: object) => {
    const sent = domain.decode(domain.PutCopy)({ ...TYPED, ...raw })
    return E.isLeft(sent) ? sent.left.errors.map(({ field }) => field) : []
  }
  t.strictSame(errors({}), [])
  t.strictSame(errors({ fields: '{}' }), [])
  for (const fields of [
    '',
    '[]',
    'null',
    '"a"',
    '{"a":1}',
    '{"a":null}',
    '{',
    JSON.stringify({ a: 'x'.repeat(262_144) }),
  ])
    t.strictSame(errors({ fields }), ['fields'], fields.slice(0, 20))
  t.strictSame(errors({ key: 'x'.repeat(201) }), ['key'])
  t.strictSame(errors({ contentType: 'portfolio', baseETag: 'x'.repeat(301) }), ['contentType', 'baseETag'])
})

t.test('M7: the title of a copy is cut between characters, and every store can hold it', async (t) => {
  t.equal(domain.titleOf({}), '')
  t.equal(domain.titleOf({ itemTitle: 'a\u0000b\ud800' }), 'ab\ufffd')
  t.equal(domain.titleOf({ itemTitle: `${'x'.repeat(199)}😀y` }), `${'x'.repeat(199)}😀`)
})
