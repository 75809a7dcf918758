// Requests that may cost more than their bytes: the shapes of costs.ts.
import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'

/** A request of one shape, for any route. */
export interface Shape {
  /** The kind of input whose cost it shows, and what it is filled with. */
  readonly kind: string
  readonly name: string
  readonly query?: string
  readonly segment?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

const LARGEST_BODY = 131_000
const LARGEST_HEAD = 60_000
const BOUNDARY = 'almoner-costs'

/** Repeats a text up to a number of bytes. */
const fill = (unit: string, size: number): string => unit.repeat(Math.max(1, Math.floor(size / unit.length)))

/** Numbered units up to a number of bytes, joined. */
const each = (unit: (n: number) => string, joint: string, size: number): string => {
  const count = Math.max(1, Math.floor(size / (unit(1000).length + joint.length)))
  return Array.from({ length: count }, (_, n) => unit(n)).join(joint)
}

type Make = (name: string, size: number) => string

const JSON_SHAPES: Readonly<Record<string, Make>> = {
  'empty objects': (name, size) => `{"${name}":[${each(() => '{}', ',', size)}]}`,
  'nested arrays': (name, size) => `{"${name}":${fill('[', size / 2)}${fill(']', size / 2)}}`,
  'nested objects': (name, size) => `{"${name}":${fill('{"a":', size / 2)}1${fill('}', size / 10)}}`,
  'open arrays': (_, size) => fill('[', size),
  'many names': (_, size) => `{${each((n) => `"${n.toString(36)}":0`, ',', size)}}`,
  'a thousand names': (name, size) =>
    `{${Array.from({ length: 900 }, (_, n) => `"k${n}":""`).join(',')},"${name}":"${fill('\\u0061', size - 9000)}"}`,
  'one name again and again': (name, size) => `{${each(() => `"${name}":"a"`, ',', size)}}`,
  'a long text': (name, size) => `{"${name}":"${fill('é', size / 2)}"}`,
  'a text of escapes': (name, size) => `{"${name}":"${fill('\\u0301', size)}"}`,
  'a text of combining marks': (name, size) => `{"${name}":"a${fill('\u0301', size / 2)}"}`,
  'a text to be folded': (name, size) => `{"${name}":"${fill('ﷺ', size / 3)}"}`,
  'long numbers': (name, size) => `{"${name}":${fill('9', size)}}`,
  'a nested text in a text': (name, size) => `{"${name}":${JSON.stringify(fill('{"a":', size / 3))}}`,
  blanks: (_, size) => `{${fill(' ', size)}}`,
}

const FORM_SHAPES: Readonly<Record<string, Make>> = {
  'many empty fields': (_, size) => fill('&', size),
  'many names': (_, size) => each((n) => `${n.toString(36)}=`, '&', size),
  'one name again and again': (name, size) => each(() => `${name}=a`, '&', size),
  'encoded bytes': (name, size) => `${name}=${fill('%C3%A9', size)}`,
  'encoded bytes apart': (name, size) => `${name}=${fill('%41+', size)}`,
  'bytes that are no text': (name, size) => `${name}=${fill('%FF', size)}`,
  'bytes that are no text apart': (name, size) => `${name}=${fill('%FF+', size)}`,
  'names that are no text': (_, size) => each((n) => `%FF${n}=`, '&', Math.min(size, 9000)),
  'lone percent signs': (name, size) => `${name}=${fill('%', size)}`,
  'plus signs': (name, size) => `${name}=${fill('+', size)}`,
}

const partOf = (fields: string, content: string): string => `--${BOUNDARY}\r\n${fields}\r\n\r\n${content}\r\n`
const textOf = (name: string) => `Content-Disposition: form-data; name="${name}"`

const MULTIPART_SHAPES: Readonly<Record<string, Make>> = {
  'parts of JSON': (_, size) =>
    each(
      (n) => partOf(`${textOf(`a${n}`)}\r\nContent-Type: application/json`, fill('[{}],', size / 100)),
      '',
      size,
    ),
  'many small parts': (_, size) => each((n) => partOf(textOf(`${n}`), ''), '', size),
  'one name again and again': (name, size) => each(() => partOf(textOf(name), 'a'), '', size),
  'a long text': (name, size) => partOf(textOf(name), fill('é', size / 2)),
  'lines that begin as the boundary': (name, size) =>
    partOf(textOf(name), fill(`\r\n--${BOUNDARY.slice(0, -1)}`, size)),
  'line breaks': (name, size) => partOf(textOf(name), fill('\r\n', size)),
  'header fields': (name, size) =>
    partOf(`${textOf(name)}\r\n${each((n) => `X-${n}: a`, '\r\n', size)}`, 'a'),
  'a long name': (_, size) => partOf(textOf(fill('é', size / 2)), 'a'),
  'a quoted name': (_, size) => partOf(`Content-Disposition: form-data; name="${fill('\\"', size)}"`, 'a'),
  'parameters of a part': (name, size) =>
    partOf(`${textOf(name)}; ${each((n) => `p${n}=a`, '; ', size)}`, 'a'),
  'an encoded file name': (name, size) =>
    partOf(`${textOf(name)}; filename*=utf-8''${fill('%C3%A9', size)}`, 'a'),
  base64: (name, size) => partOf(`${textOf(name)}\r\nContent-Transfer-Encoding: base64`, fill('AAAA', size)),
  'quoted-printable': (name, size) =>
    partOf(`${textOf(name)}\r\nContent-Transfer-Encoding: quoted-printable`, fill('=41=\r\n', size)),
  'quoted-printable blanks': (name, size) =>
    partOf(
      `${textOf(name)}\r\nContent-Transfer-Encoding: quoted-printable`,
      fill(`=${' '.repeat(74)}\r\n`, size),
    ),
  'another charset': (name, size) =>
    partOf(`${textOf(name)}\r\nContent-Type: text/plain; charset=gb18030`, fill('aaaa', size)),
  'a preamble': (name, size) => fill('a', size) + partOf(textOf(name), 'a'),
}

/** Values of header fields, by name of the field. */
const HEADERS: Readonly<Record<string, (size: number) => string>> = {
  'If-None-Match': (size) => each((n) => `W/"${n}"`, ',', size),
  'If-Match': (size) => fill('"', size),
  Accept: (size) => each((n) => `a/${n};q=0.${n}`, ',', size),
  'Accept-Encoding': (size) => each((n) => `c${n};q=0.1`, ',', size),
  'Accept-Language': (size) => each((n) => `f${n};q=0.1`, ',', size),
  Range: (size) => `bytes=${each((n) => `${n}-${n}`, ',', size)}`,
  Cookie: (size) => each((n) => `c${n}=1`, '; ', size),
  'Idempotency-Key': (size) => fill('k', size),
  Authorization: (size) => `Bearer ${fill('a', size)}`,
  'X-Forwarded-For': (size) => each((n) => `10.0.${n % 256}.1`, ', ', size),
  'Content-Type': (size) => `application/json; ${each((n) => `p${n}=a`, ';', size)}`,
  'If-Modified-Since': (size) => fill('1 ', size),
}

const QUERIES = ['q', 'include', 'lim', 'offset', 'labelId', 'access_token', 'lang', 'from', 'unknown']

const NAMES = [
  'itemTitle',
  'itemDescription',
  'link',
  'itemUploadMedia',
  'status',
  'device_token',
  'access_token',
  'title',
  'date',
  'fields',
  'token',
  'response',
  'password',
  'email',
  'grant_type',
  'client_secret',
  'counterpartId',
  'unknown',
]

const sizes = (largest: number) =>
  fc.constantFrom(0.02, 0.2, 0.6, 1).map((part) => Math.floor(largest * part))

const bodies = (kind: string, shapes: Readonly<Record<string, Make>>, type: string, end = '') =>
  fc
    .tuple(fc.constantFrom(...Object.keys(shapes)), fc.constantFrom(...NAMES), sizes(LARGEST_BODY))
    .map(([name, field, size]): Shape => {
      const body = Buffer.from((shapes[name]?.(field, size) ?? '') + end)
      return { kind, name, headers: { 'Content-Type': type }, body: body.subarray(0, LARGEST_BODY) }
    })

const JSON_TYPE = 'application/json'
const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const zeros = Buffer.alloc(10_000_000)

/** Files of the routes that take some: none is an image. */
const files = fc
  .constantFrom<readonly [string, Buffer]>(
    ['zeros', zeros.subarray(0, 1_000_000)],
    ['a compressed file', gzipSync(zeros)],
    ['deflated zeros', deflateRawSync(zeros)],
    ['JSON', Buffer.from(fill('[{},', 1_000_000))],
  )
  .map(([name, content]): Shape => {
    const head = `--${BOUNDARY}\r\n${textOf('itemUploadMedia')}; filename="a.png"\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
    return { kind: 'a file', name, headers: { 'Content-Type': MULTIPART_TYPE }, body }
  })

const queries = fc
  .tuple(
    fc.constantFrom(...QUERIES),
    fc.constantFrom(...Object.keys(FORM_SHAPES), 'words', 'commas'),
    sizes(LARGEST_HEAD),
  )
  .map(([field, name, size]): Shape => {
    const made =
      name === 'words' ? `${field}=${each((n) => `w${n}`, '+', size)}` : `${field}=${fill(',', size)}`
    return { kind: 'a query', name: `${name}, ${field}`, query: FORM_SHAPES[name]?.(field, size) ?? made }
  })

const headers = fc.tuple(fc.constantFrom(...Object.keys(HEADERS)), sizes(LARGEST_HEAD)).map(
  ([name, size]): Shape => ({
    kind: 'a header field',
    name,
    headers: { [name]: HEADERS[name]?.(size) ?? '' },
  }),
)

const segments = fc
  .tuple(fc.constantFrom('%41', '%F0%9F%98%80', '%', 'a', '..%2f', '/', '%2e'), sizes(45_000))
  .map(([unit, size]): Shape => ({ kind: 'a path', name: unit, segment: fill(unit, size) }))

/** Shapes of all kinds. */
export const shapes: fc.Arbitrary<Shape> = fc.oneof(
  { weight: 4, arbitrary: bodies('JSON', JSON_SHAPES, JSON_TYPE) },
  { weight: 3, arbitrary: bodies('a form', FORM_SHAPES, 'application/x-www-form-urlencoded') },
  { weight: 4, arbitrary: bodies('multipart', MULTIPART_SHAPES, MULTIPART_TYPE, `--${BOUNDARY}--\r\n`) },
  { weight: 1, arbitrary: files },
  { weight: 3, arbitrary: queries },
  { weight: 3, arbitrary: headers },
  { weight: 1, arbitrary: segments },
)
