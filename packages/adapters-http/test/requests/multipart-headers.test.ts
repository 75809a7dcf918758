import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { problemOfError, sendProblem } from '../../src/problems/send-problem.ts'
import { addBodyParsers } from '../../src/request/body-parsers.ts'
import { makeBodyLimits } from '../../src/request/metered-body.ts'
import { readMultipartBody } from '../../src/request/multipart-body.ts'
import { contextOf, decorateRequest } from '../../src/request-context.ts'
import { BOUNDARY, formBytes, type RawPart, textNamed } from '../support/multipart.ts'
import { FIELD } from '../support/uploads.ts'

// B10: parts with header fields as any library may write them (RFC 2046, RFC 2183, RFC 5987, RFC 7578).

/** An application that returns the text and the file of a form. */
const start = async (t: Test): Promise<FastifyInstance> => {
  const app = Fastify()
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOfError(error)))
  decorateRequest(app)
  await addBodyParsers(
    app,
    makeBodyLimits(() => () => {}),
  )
  for (const rule of ['named', 'first'] as const)
    app.post(`/${rule}`, async (request) => {
      const { fields, upload } = await readMultipartBody(request, rule)
      const unreadable = Object.fromEntries(contextOf(request).unreadable ?? [])
      return { fields, unreadable, upload: upload && Buffer.from(upload).toString('base64') }
    })
  t.teardown(() => app.close())
  return app
}

interface Read {
  readonly fields: Readonly<Record<string, unknown>>
  readonly unreadable: Readonly<Record<string, string>>
  readonly upload?: string
}

const read = async (
  app: FastifyInstance,
  rule: 'named' | 'first',
  parts: ReadonlyArray<RawPart>,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
): Promise<Read> => {
  const payload = formBytes(parts)
  const answer = await app.inject({
    method: 'POST',
    url: `/${rule}`,
    headers: { 'content-type': type },
    payload,
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}

/** The characters of a charset whose bytes are known, by decoding each byte, or each pair. */
const alphabetOf = (label: string, hasPairs: boolean): ReadonlyMap<string, Buffer> => {
  const decoder = new TextDecoder(label, { fatal: true })
  const alphabet = new Map<string, Buffer>()
  const add = (bytes: Buffer) => {
    try {
      const text = decoder.decode(bytes)
      if ([...text].length === 1 && !alphabet.has(text)) alphabet.set(text, bytes)
    } catch {
      // No character of the charset.
    }
  }
  for (let byte = 0x20; byte < 0x100; byte += 1) add(Buffer.of(byte))
  for (let lead = 0x81; hasPairs && lead < 0xff; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1) add(Buffer.of(lead, trail))
  return alphabet
}

/** Labels of one charset of the Encoding Standard, and how its text becomes bytes. */
interface Charset {
  readonly labels: ReadonlyArray<string>
  readonly text: fc.Arbitrary<string>
  readonly encode: (text: string) => Buffer
}

const ofAlphabet = (labels: ReadonlyArray<string>, hasPairs = false): Charset => {
  const alphabet = alphabetOf(labels[0] ?? '', hasPairs)
  return {
    labels,
    text: fc.array(fc.constantFrom(...alphabet.keys()), { maxLength: 20 }).map((all) => all.join('')),
    encode: (text) => Buffer.concat([...text].map((one) => alphabet.get(one) ?? Buffer.of())),
  }
}

const anyText = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.startsWith('\ufeff'))

const CHARSETS: ReadonlyArray<Charset> = [
  { labels: ['utf-8', 'UTF8', 'unicode-1-1-utf-8'], text: anyText, encode: (text) => Buffer.from(text) },
  { labels: ['utf-16', 'UTF-16LE'], text: anyText, encode: (text) => Buffer.from(text, 'utf16le') },
  { labels: ['utf-16be'], text: anyText, encode: (text) => Buffer.from(text, 'utf16le').swap16() },
  {
    labels: ['utf-16'],
    text: anyText,
    encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  },
  ofAlphabet(['windows-1252', 'ISO-8859-1', 'latin1', 'us-ascii', 'cp1252']),
  ofAlphabet(['iso-8859-15']),
  ofAlphabet(['macintosh', 'x-mac-roman']),
  ofAlphabet(['windows-1251', 'cp1251']),
  ofAlphabet(['koi8-r']),
  ofAlphabet(['windows-1256']),
  ofAlphabet(['shift_jis', 'windows-31j'], true),
  ofAlphabet(['gbk', 'gb2312'], true),
  ofAlphabet(['euc-kr', 'ks_c_5601-1987'], true),
  ofAlphabet(['big5'], true),
]

/** A text as a part declares and sends it. */
interface Declared {
  readonly text: string
  readonly bytes: Buffer
  /** Undefined for a part without a charset. */
  readonly label: string | undefined
}

const declared: fc.Arbitrary<Declared> = fc.oneof(
  anyText.map((text): Declared => ({ text, bytes: Buffer.from(text), label: undefined })),
  fc.constantFrom(...CHARSETS).chain(({ labels, text, encode }) =>
    fc.record({ label: fc.constantFrom(...labels), text }).map(
      ({ label, text }): Declared => ({
        text,
        bytes: encode(text),
        label,
      }),
    ),
  ),
)

const TRANSFERS: ReadonlyArray<readonly [name: string | undefined, encode: (bytes: Buffer) => Buffer]> = [
  [undefined, (bytes) => bytes],
  ['7bit', (bytes) => bytes],
  ['8bit', (bytes) => bytes],
  ['binary', (bytes) => bytes],
  ['base64', (bytes) => Buffer.from(bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n'))],
  ['base64', (bytes) => Buffer.from(bytes.toString('base64').replaceAll('=', ''))],
  [
    'quoted-printable',
    (bytes) => {
      const escaped = [...bytes].map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`)
      return Buffer.from(escaped.join('').replaceAll(/.{60}/g, '$&=\r\n'))
    },
  ],
]

const toggled = (character: string): string =>
  character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()

/** Any mixture of capitals and small letters. */
const cased = (text: string): fc.Arbitrary<string> => fc.mixedCase(fc.constant(text), { toggleCase: toggled })

const blank = fc.constantFrom('', ' ', '  ', '\t')
/** Blanks and a line break, which go on with the field (RFC 5322 §2.2.3). */
const fold = fc.constantFrom(' ', '  ', '\t', '\r\n ', '\r\n\t')

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** A parameter of a field: a token, or quoted. */
const parameter = (name: string, value: string): fc.Arbitrary<string> =>
  fc
    .tuple(cased(name), fc.constantFrom(quoted(value), ...(/^[\w.+-]+$/.test(value) ? [value] : [])))
    .map((pair) => pair.join('='))

/** A field with its parameters in any order. */
const field = (
  name: string,
  value: string,
  parameters: ReadonlyArray<fc.Arbitrary<string>>,
): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...[cased(name), blank, cased(value)],
      fc
        .tuple(...parameters.map((one) => fc.tuple(blank, fold, one).map(([a, b, c]) => `${a};${b}${c}`)))
        .chain((all) => fc.shuffledSubarray([...all], { minLength: all.length })),
      fc.constantFrom('', ';', ' ', '; '),
    )
    .map(([written, space, is, more, end]) => `${written}:${space}${is}${more.join('')}${end}`)

/** Fields that change nothing. */
const others = fc.subarray([
  'Content-Length: 3',
  'X-Custom: form-data; name="other"; filename="other.png"',
  'MIME-Version: 1.0',
  'Content-ID: <a@example.org>',
  'Content-Description: a; charset=utf-16',
  'Content-Language: fr',
  'Content-Disposition-Notification: x',
])

const MEDIA_TYPES = [
  'text/plain',
  'text/html',
  'application/json',
  'application/octet-stream',
  'image/png',
  'image/*',
]

const typeOf = (label: string | undefined): fc.Arbitrary<ReadonlyArray<string>> => {
  const more = fc.subarray([
    parameter('format', 'flowed'),
    parameter('x', '; charset=utf-16; y='),
    parameter('not-charset', 'utf-16'),
  ])
  const withType = fc
    .tuple(fc.constantFrom(...MEDIA_TYPES), more)
    .chain(([type, all]) =>
      field('Content-Type', type, [...(label === undefined ? [] : [parameter('charset', label)]), ...all]),
    )
    .map((one) => [one])
  return label === undefined ? fc.oneof(fc.constant([]), withType) : withType
}

const transferOf = (name: string | undefined): fc.Arbitrary<ReadonlyArray<string>> =>
  name === undefined
    ? fc.constant([])
    : fc
        .tuple(cased('Content-Transfer-Encoding'), blank, cased(name), blank)
        .map(([a, b, c, d]) => [`${a}:${b}${c}${d}`])

/** The names that files have, and how they are declared. */
const FILE_NAMES: ReadonlyArray<ReadonlyArray<fc.Arbitrary<string>>> = [
  [parameter('filename', 'a.png')],
  [parameter('filename', 'a b;c=d, name=other.png')],
  [parameter('filename', 'a "b" \\ c.png')],
  [parameter('filename', 'été “1”.png')],
  [parameter('filename', '')],
  [parameter('filename', 'C:\\Users\\a\\b.png')],
  [cased('filename*').map((name) => `${name}=UTF-8''%C3%A9t%C3%A9.png`)],
  [cased('filename*').map((name) => `${name}=iso-8859-1'fr'%E9.png`)],
  [parameter('filename', 'ete.png'), fc.constant("filename*=utf-8''%C3%A9t%C3%A9.png")],
  [parameter('filename', 'a.png'), parameter('size', '12'), parameter('creation-date', 'Wed, 12 Feb 1997')],
]

/** The fields of a part in any order. */
const fieldsOf = (
  parameters: ReadonlyArray<fc.Arbitrary<string>>,
  label: string | undefined,
  transfer: string | undefined,
): fc.Arbitrary<ReadonlyArray<string>> =>
  fc
    .tuple(field('Content-Disposition', 'form-data', parameters), typeOf(label), transferOf(transfer), others)
    .map(([disposition, type, encoding, more]) => [disposition, ...type, ...encoding, ...more])
    .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))

const textPart = (name: string): fc.Arbitrary<readonly [RawPart, string]> =>
  fc
    .tuple(declared, fc.constantFrom(...TRANSFERS))
    .chain(([{ text, bytes, label }, [transfer, encode]]) =>
      fieldsOf([parameter('name', name)], label, transfer).map(
        (fields) => [[fields, encode(bytes)], text] as const,
      ),
    )

const content = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes))

const filePart = (name: string, isNamed: boolean): fc.Arbitrary<readonly [RawPart, string]> =>
  fc
    .tuple(
      content,
      fc.constantFrom(...TRANSFERS),
      fc.constantFrom(...(isNamed ? [] : [[]]), ...FILE_NAMES),
      fc.constantFrom(undefined, 'utf-8', 'klingon', 'utf-16'),
    )
    .chain(([bytes, [transfer, encode], names, label]) =>
      fieldsOf([parameter('name', name), ...names], label, transfer).map(
        (fields) => [[fields, encode(bytes)], bytes.toString('base64')] as const,
      ),
    )

/** Compares by JSON, so that fast-check shrinks what differs. */
const differs = (found: unknown, expected: unknown): boolean =>
  JSON.stringify(found) !== JSON.stringify(expected)

t.test('B10: a text is read whatever its header fields look like', async (t) => {
  const app = await start(t)
  await fc.assert(
    fc.asyncProperty(textPart('itemTitle'), textPart('lang'), async ([title, expected], [lang, other]) => {
      const { fields, unreadable, upload } = await read(app, 'named', [title, lang])
      if (differs([fields, unreadable, upload], [{ itemTitle: expected, lang: other }, {}, undefined]))
        throw new Error(
          JSON.stringify([
            title[0],
            fields['itemTitle'],
            expected,
            lang[0],
            fields['lang'],
            other,
            unreadable,
          ]),
        )
    }),
    { numRuns: 300 },
  )
  t.pass()
})

/** Inputs of a form in which no file was chosen: empty, with an empty file name, of any type. */
const emptyInputs = fc.array(
  fc
    .tuple(
      fc.constantFrom(FIELD, 'other'),
      fc.constantFrom(undefined, 'base64', 'quoted-printable', 'binary'),
    )
    .chain(([name, transfer]) =>
      fieldsOf([parameter('name', name), parameter('filename', '')], undefined, transfer),
    )
    .map((fields): RawPart => [fields, '']),
  { maxLength: 6 },
)

t.test('B10: a file is read whatever its header fields look like, and beside empty inputs', async (t) => {
  const app = await start(t)
  await fc.assert(
    fc.asyncProperty(
      ...[filePart(FIELD, false), filePart('other', true), emptyInputs, emptyInputs],
      async ([file, expected], [other, first], before, after) => {
        const parts = [...before, other, ...before, file, ...after]
        const found = [await read(app, 'named', parts), await read(app, 'first', parts)]
        const whole = [expected, first].map((upload) => ({ fields: {}, unreadable: {}, upload }))
        if (differs(found, whole)) throw new Error(JSON.stringify([parts, found, whole]))
      },
    ),
    { numRuns: 300 },
  )
  t.pass()
})

t.test('B10: only empty inputs are no file', async (t) => {
  const app = await start(t)
  await fc.assert(
    fc.asyncProperty(emptyInputs, fc.constantFrom('named', 'first'), async (parts, rule) => {
      const { upload } = await read(app, rule, parts)
      if (upload !== undefined) throw new Error(upload)
    }),
  )
  t.pass()
})

t.test('B10: what cannot be decoded is named with its reason, beside what can', async (t) => {
  const app = await start(t)
  const bad = fc
    .constantFrom(
      ...([
        ['klingon', undefined, 'x', 'declares an unknown charset'],
        ['iso-2022-kr', '8bit', 'x', 'declares an unknown charset'],
        [undefined, undefined, Buffer.of(0xff), 'is not valid utf-8'],
        ['UTF8', 'binary', Buffer.of(0xc3), 'is not valid utf-8'],
        ['shift_jis', undefined, Buffer.of(0x82), 'is not valid shift_jis'],
        ['utf-16', undefined, Buffer.of(1), 'is not valid utf-16le'],
        [undefined, 'base64', 'a*b=', 'is not valid base64'],
        ['latin1', 'quoted-printable', '=GG', 'is not valid quoted-printable text'],
        [undefined, 'x-uuencode', 'x', 'has an unknown Content-Transfer-Encoding'],
        ['utf-8', 'gzip', 'x', 'has an unknown Content-Transfer-Encoding'],
      ] as const),
    )
    .chain(([label, transfer, sent, reason]) =>
      fieldsOf([parameter('name', 'lang')], label, transfer).map(
        (fields) => [[fields, sent] as RawPart, reason] as const,
      ),
    )
  await fc.assert(
    fc.asyncProperty(
      textPart('itemTitle'),
      bad,
      fc.boolean(),
      async ([title, text], [part, reason], isFirst) => {
        const { fields, unreadable } = await read(app, 'named', isFirst ? [part, title] : [title, part])
        if (differs([fields['itemTitle'], unreadable], [text, { lang: reason }]))
          throw new Error(JSON.stringify([title, part, fields, unreadable]))
      },
    ),
    { numRuns: 300 },
  )
  t.pass()
})

t.test('B10: a boundary is found among other parameters, and named where it is missing', async (t) => {
  const app = await start(t)
  const decoys = fc.subarray([
    parameter('charset', 'utf-8'),
    parameter('x', '; boundary=other; y='),
    parameter('boundaries', 'other'),
  ])
  const head = fc.tuple(cased('multipart/form-data'), decoys, fc.boolean()).chain(([type, others, isNamed]) =>
    fc
      .tuple(...[...others, ...(isNamed ? [parameter('boundary', BOUNDARY)] : [])])
      .chain((all) => fc.shuffledSubarray([...all], { minLength: all.length }))
      .map((all) => [[type, ...all].join('; '), isNamed] as const),
  )
  await fc.assert(
    fc.asyncProperty(head, async ([type, isNamed]) => {
      const payload = formBytes([[['Content-Disposition: form-data; name="lang"'], 'fr']])
      const answer = await app.inject({
        method: 'POST',
        url: '/named',
        headers: { 'content-type': type },
        payload,
      })
      const isRight = isNamed
        ? answer.json().fields?.lang === 'fr'
        : answer.statusCode === 400 && answer.json().detail.includes('boundary')
      if (!isRight) throw new Error(`${type}: ${answer.body}`)
    }),
    { numRuns: 300 },
  )
  t.pass()
})

t.test('B10: a parameter in quotes may have characters with a backslash (RFC 9110 §5.6.4)', async (t) => {
  const app = await start(t)
  const type = 'Content-Type: text/plain; x="\\"; charset=utf-16"; charset="windows\\-125\\2"'
  const { fields, unreadable } = await read(app, 'named', [[[textNamed('a'), type], Buffer.of(0x80)]])
  t.strictSame([fields, unreadable], [{ a: '€' }, {}])
})
