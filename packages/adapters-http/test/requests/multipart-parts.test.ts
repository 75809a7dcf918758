import t from 'tap'
import { create, onServer } from '../support/items.ts'
import { fileNamed, multipartOf, type RawPart, textNamed } from '../support/multipart.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { FEED_ITEM } from '../support/samples.ts'
import { FIELD, imagePath, PNG } from '../support/uploads.ts'

const texts = (given: Readonly<Record<string, string>>): ReadonlyArray<RawPart> =>
  Object.entries(given).map(([name, value]): RawPart => [[textNamed(name)], value])

const { itemTitle: _, ...UNTITLED } = FEED_ITEM

onServer(t, 'B10: the text of a part is decoded by its charset and transfer encoding', async (t, fixture) => {
  const titleOf = async (fields: ReadonlyArray<string>, content: Uint8Array | string) => {
    const form = multipartOf([...texts(UNTITLED), [[textNamed('itemTitle'), ...fields], content]])
    const answer = await fixture.call('POST', '/feed/', { as: 'donor', ...form })
    if (answer.status !== 200) return seeProblem(t, answer, 'invalid_request', fields.join(', '))
    return ((await answer.json()) as { item: { itemTitle: string } }).item.itemTitle
  }
  const type = (charset: string) => `Content-Type: text/plain; charset=${charset}`
  const encoding = (name: string) => `Content-Transfer-Encoding: ${name}`
  for (const [fields, content, expected] of [
    [[type('windows-1252')], Buffer.of(0x80, 0x41), '€A'],
    [[type('"LATIN1"')], Buffer.of(0xe9), 'é'],
    [[type('shift_jis')], Buffer.of(0x82, 0xa0), 'あ'],
    [[type('koi8-r')], Buffer.of(0xc1), 'а'],
    [[type('utf-16')], Buffer.of(0xfe, 0xff, 0x00, 0xe9), 'é'],
    [[type('utf-16')], Buffer.of(0xe9, 0x00), 'é'],
    [[type('utf-16be')], Buffer.of(0x00, 0xe9), 'é'],
    [['Content-Type: application/json'], '{"a":1}', '{"a":1}'],
    [['Content-Type: application/json'], '17', '17'],
    [['Content-Type: application/octet-stream'], 'text', 'text'],
    [[encoding('7bit')], 'é', 'é'],
    [[encoding('BINARY')], 'é', 'é'],
    [[encoding('base64')], 'w6\r\nk=', 'é'],
    [[encoding('Base64'), type('iso-8859-1')], '6Q', 'é'],
    [[encoding('quoted-printable')], 'caf=C3=A9 =\r\nnoir  ', 'café noir'],
  ] as const)
    t.equal(await titleOf(fields, content), expected, fields.join(', '))
  for (const [fields, content, reason] of [
    [[], Buffer.of(0xff), /not valid utf-8/],
    [[type('shift_jis')], Buffer.of(0x82), /not valid shift_jis/],
    [[type('utf-16')], Buffer.of(0x00), /not valid utf-16/],
    [[type('klingon')], 'text', /unknown charset/],
    [[type('iso-2022-kr')], 'text', /unknown charset/],
    [[encoding('base64')], 'w6k=w', /not valid base64/],
    [[encoding('base64')], 'w', /not valid base64/],
    [[encoding('base64')], 'w*k=', /not valid base64/],
    [[encoding('quoted-printable')], '=C3=ZZ', /not valid quoted-printable/],
    [[encoding('quoted-printable')], 'a=C', /not valid quoted-printable/],
    [[encoding('x-uuencode')], 'text', /unknown Content-Transfer-Encoding/],
    [[encoding('constructor')], 'text', /unknown Content-Transfer-Encoding/],
  ] as const) {
    const problem = await titleOf(fields, content)
    t.match(problem, { errors: [{ field: 'itemTitle', message: reason }] }, fields.join(', '))
  }
})

onServer(t, 'B10: a part that cannot be decoded is named with every other bad field', async (t, fixture) => {
  const bad: RawPart = [[textNamed('itemTitle'), 'Content-Type: text/plain; charset=klingon'], 'text']
  const unknown: RawPart = [[textNamed('other'), 'Content-Type: text/plain; charset=klingon'], 'text']
  const both = multipartOf([...texts({ ...UNTITLED, lang: 'de' }), bad, unknown])
  const problem = await seeProblem(
    t,
    await fixture.call('POST', '/feed/', { as: 'donor', ...both }),
    'invalid_request',
  )
  t.strictSame(fieldsOf(problem), ['itemTitle', 'lang'])
  const ignored = multipartOf([...texts(FEED_ITEM), unknown])
  t.equal(
    (await fixture.call('POST', '/feed/', { as: 'donor', ...ignored })).status,
    200,
    'B2: unknown parameters',
  )
})

for (const contentType of ['library', 'feed'] as const)
  onServer(t, `B10: a file of the ${contentType} does not depend on its type`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    const path = imagePath(contentType, itemId)
    const upload = (...parts: ReadonlyArray<RawPart>) =>
      fixture.call('POST', path, { as: 'manager', ...multipartOf(parts) })
    const base64 = Buffer.from(PNG).toString('base64').replaceAll(/.{76}/g, '$&\r\n')
    const quoted = [...PNG].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join('')
    const soft = quoted.replaceAll(/.{60}/g, '$&=\r\n')
    for (const [fields, content] of [
      [[fileNamed(FIELD, 'a.png'), 'Content-Type: text/plain; charset=klingon'], PNG],
      [[textNamed(FIELD), 'Content-Type: application/json'], PNG],
      [[fileNamed(FIELD, 'a.png'), 'Content-Transfer-Encoding: base64'], base64],
      [[fileNamed(FIELD, 'a.png'), 'Content-Transfer-Encoding: quoted-printable'], soft],
      [[fileNamed(FIELD, '')], PNG],
    ] as ReadonlyArray<RawPart>)
      t.equal((await upload([fields, content])).status, 200, fields.join(', '))
    const absent: RawPart = [[fileNamed(FIELD, ''), 'Content-Type: application/octet-stream'], '']
    t.equal((await upload(absent, [[fileNamed(FIELD, 'a.png')], PNG])).status, 200, 'an empty one before it')
    t.equal((await upload([[fileNamed(FIELD, 'a.png')], PNG], absent)).status, 200, 'an empty one after it')
    const none = await seeProblem(t, await upload(absent), 'invalid_request', 'only an empty one')
    t.strictSame(fieldsOf(none), [FIELD])
    const cut = await upload([[fileNamed(FIELD, 'a.png'), 'Content-Transfer-Encoding: base64'], 'AB*='])
    t.match(await seeProblem(t, cut, 'invalid_request'), { errors: [{ field: FIELD, message: /base64/ }] })
  })

onServer(
  t,
  'B10: all parts together count against the limit of the body, files apart',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'feed')
    const answer = async (path: string, parts: ReadonlyArray<RawPart>) =>
      (await fixture.call('POST', path, { as: 'manager', ...multipartOf(parts) })).status
    const many = (count: number, fields: (at: number) => ReadonlyArray<string>, content: string) =>
      Array.from({ length: count }, (_, at): RawPart => [fields(at), content])
    const cases: Readonly<Record<string, ReadonlyArray<RawPart>>> = {
      'one long text': [[[textNamed('a')], 'x'.repeat(131_072)]],
      'text in base64, by the bytes received': [
        [[textNamed('a'), 'Content-Transfer-Encoding: base64'], 'AAAA'.repeat(32_768)],
      ],
      'several texts': many(100, (at) => [textNamed(`a${at}`)], 'x'.repeat(1400)),
      'long names': many(50, (at) => [textNamed(`${at}${'n'.repeat(3000)}`)], ''),
      'long header fields': many(50, (at) => [textNamed(`a${at}`), `X-Long: ${'h'.repeat(3000)}`], ''),
      'parts that are passed over': many(50, () => [`X-Long: ${'h'.repeat(3000)}`], ''),
    }
    for (const [name, parts] of Object.entries(cases)) {
      t.equal(await answer('/feed/', parts), 413, name)
      t.equal(
        await answer(imagePath('feed', itemId), [...parts, [[fileNamed(FIELD, 'a.png')], PNG]]),
        413,
        `${name}, file`,
      )
    }
    const large = new Uint8Array(1_000_000)
    t.equal(
      await answer('/feed/', [...texts(FEED_ITEM), [[fileNamed('other', 'a.bin')], large]]),
      200,
      'a file does not count',
    )
    const json = `{"a":[${Array.from({ length: 43_000 }, () => '{}').join(',')}]}`
    const hundred = many(100, (at) => [textNamed(`a${at}`), 'Content-Type: application/json'], json)
    t.equal(await answer('/library/', hundred), 413, 'a hundred parts of JSON')
  },
)

onServer(t, 'B10: a missing boundary is named', async (t, fixture) => {
  const { body } = multipartOf(texts(FEED_ITEM))
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; charset=utf-8',
  ]) {
    const answer = await fixture.call('POST', '/feed/', {
      as: 'donor',
      headers: { 'content-type': type },
      body,
    })
    t.match(await seeProblem(t, answer, 'invalid_request', type), { detail: /boundary/ })
  }
})
