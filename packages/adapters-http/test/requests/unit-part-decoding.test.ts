import type { IncomingMessage } from 'node:http'
import { PassThrough, type Writable } from 'node:stream'
import multipart from '@fastify/multipart'
import fc from 'fast-check'
import fastify, { type FastifyRequest } from 'fastify'
import t from 'tap'
import { ProblemError } from '../../src/problems/problem.ts'
import { bodyTimes, MeteredBody } from '../../src/request/metered-body.ts'
import { decodeText, PartError, partsOf, undoTransfer } from '../../src/request/multipart-parts.ts'
import { contextOf } from '../../src/request-context.ts'

/** Bytes in pieces of any length, as a socket brings them. */
const piecesOf = (bytes: Uint8Array, sizes: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let at = 0
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...pieces, bytes.subarray(at)]
}

const undo = async (text: string, encoding: string, sizes: ReadonlyArray<number> = []): Promise<Buffer> => {
  const sent = async function* () {
    yield* piecesOf(Buffer.from(text, 'latin1'), sizes)
  }
  const chunks: Array<Uint8Array> = []
  for await (const chunk of undoTransfer(sent(), encoding)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const bytes = fc.uint8Array({ maxLength: 300 })
const sizes = fc.array(fc.integer({ min: 0, max: 40 }))

t.test('B10: base64 in lines of any length, cut anywhere, gives its bytes', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      bytes,
      sizes,
      fc.integer({ min: 1, max: 76 }),
      fc.boolean(),
      async (content, cut, line, isPadded) => {
        const text = Buffer.from(content).toString('base64')
        const lines = text.replaceAll(new RegExp(`.{${line}}`, 'g'), '$&\r\n')
        const sent = isPadded ? lines : lines.replaceAll('=', '')
        return (await undo(sent, 'base64', cut)).equals(content)
      },
    ),
  )
  t.pass()
})

/** Writes quoted-printable, each byte as it is or escaped, with soft line breaks between any two (RFC 2045 §6.7). */
const quote = (content: Uint8Array, choices: ReadonlyArray<number>): string =>
  [...content]
    .map((byte, at) => {
      const choice = choices[at % Math.max(choices.length, 1)] ?? 0
      const isPlain = byte > 32 && byte < 127 && byte !== 61
      const escaped = `=${byte.toString(16).padStart(2, '0')}`
      const written = isPlain && choice % 2 === 0 ? String.fromCharCode(byte) : escaped
      return choice % 3 === 0 ? `${written}=${' '.repeat(choice % 4)}\r\n` : written
    })
    .join('')

t.test('B10: quoted-printable, written in any way and cut anywhere, gives its bytes', async (t) => {
  await fc.assert(
    fc.asyncProperty(bytes, sizes, fc.array(fc.nat(12)), async (content, cut, choices) =>
      (await undo(quote(content, choices), 'quoted-printable', cut)).equals(content),
    ),
  )
  await fc.assert(
    fc.asyncProperty(sizes, fc.stringMatching(/^[ \ta=\r\n]{0,20}$/), async (cut, text) => {
      const outcome = (sent: Promise<Buffer>) => sent.then(String, (error: unknown) => String(error))
      const whole = await outcome(undo(text, 'quoted-printable'))
      return (await outcome(undo(text, 'quoted-printable', cut))) === whole
    }),
  )
  t.equal(String(await undo('a  b \t\r\nc ', 'quoted-printable')), 'a  b\r\nc', 'blanks at the end of a line')
  const long = ' '.repeat(100_000)
  t.equal(
    String(await undo(`${long}x`, 'quoted-printable', [50_000])).length,
    100_001,
    'a long run of blanks',
  )
})

t.test('B10: an unknown or broken encoding or charset is a PartError that quotes nothing', async (t) => {
  for (const [text, encoding] of [
    ['secret*', 'base64'],
    ['=secret', 'quoted-printable'],
    ['secret', 'secret'],
  ] as const)
    await t.rejects(undo(text, encoding), PartError)
  t.throws(() => decodeText(Buffer.from('x'), 'secret'), PartError)
  try {
    decodeText(Buffer.from('secret\xff', 'latin1'), 'utf-8')
    t.fail()
  } catch (error) {
    t.notMatch(String(error), /secret/)
  }
})

t.test('B10: text of every charset that Node writes is read as it was', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => decodeText(Buffer.from(text), 'UTF8') === text),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const swapped = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
      return decodeText(swapped, 'utf-16') === text
    }),
  )
  t.equal(decodeText(Buffer.from('\ufeffa'), 'utf-8'), '\ufeffa', 'UTF-8 keeps U+FEFF, as in a form')
})

const LIMITS = { fileSize: 1000, texts: 10, parts: 20 }

for (const [kind, field] of [
  ['texts', 'name="a"'],
  ['files', 'name="a"; filename="b"'],
] as const)
  t.test(`B10: of too many ${kind} that arrive at once few are read`, async (t) => {
    const raw = Object.assign(new PassThrough(), {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    const app = fastify()
    await app.register(multipart)
    let request = { headers: raw.headers } as FastifyRequest
    app.get('/', async (asked) => {
      request = Object.create(asked, { headers: { value: raw.headers } })
    })
    await app.inject('/')
    const watch = { add: () => {}, delete: () => {} }
    const body = new MeteredBody(raw as never, { watch, times: bodyTimes(true, 1000), share: undefined })
    contextOf(request).multipart = body
    let parsed = 0
    body.once('piping', (parser: Writable) => {
      const write = parser.write.bind(parser)
      parser.write = (chunk: Uint8Array) => {
        parsed += chunk.byteLength
        return write(chunk)
      }
    })
    raw.end(`--x\r\nContent-Disposition: form-data; ${field}\r\n\r\na\r\n`.repeat(1000))
    await t.rejects(async () => {
      for await (const { sent } of partsOf(request, LIMITS)) for await (const _ of sent);
    }, ProblemError)
    t.ok(parsed > 0 && parsed < 10_000, `the parser got ${parsed} bytes of 60,000`)
  })

t.test('A9: the parts of a body whose client has left meanwhile fail at once', async (t) => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const request = { headers } as FastifyRequest
  const watch = { add: () => {}, delete: () => {} }
  const bounds = { watch, times: bodyTimes(true, 1000), share: undefined }
  const body = new MeteredBody({ headers } as IncomingMessage, bounds as never)
  contextOf(request).multipart = body
  body.destroy(new Error('aborted'))
  await t.rejects(partsOf(request, LIMITS).next(), /aborted/)
})
