import type { Readable, Writable } from 'node:stream'
import { UPLOAD_FIELD } from '@almoner/domain/media'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../problems/problem.ts'
import { problemOfStatus } from '../problems/send-problem.ts'
import { contextOf } from '../request-context.ts'
import { MeteredBody } from './metered-body.ts'
import { unreadable } from './parameters.ts'

/** Marks a request with a multipart body as read later. */
export const markMultipart = (request: FastifyRequest, body: unknown, done: (fault: null) => void): void => {
  contextOf(request).multipart = body as Readable
  done(null)
}

/** The error of a body that is too large. */
export const tooLarge = (): ProblemError => new ProblemError(problemOfStatus(413))

/** Returns whether an error of the parser says that a limit was exceeded. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413

/** Returns the error to respond with. The parser's own message may quote the body. */
export const problemOfParts = (error: unknown): ProblemError => {
  if (error instanceof ProblemError) return error
  return isTooLarge(error) ? tooLarge() : unreadable('The multipart body cannot be read.')
}

/** Limits of the parser. All are given, because others would be those of the application around the API. */
export interface PartLimits {
  /** Bytes of a file as it is sent. */
  readonly fileSize: number
  /** Parts that are no files. */
  readonly texts: number
  readonly parts: number
}

/** Texts that any body may have: many times what an operation takes. */
export const MOST_TEXTS = 50

/** A part of a multipart body. Its content has to be read to its end before the next part comes. */
export interface Part {
  readonly name: string
  readonly fileName: string | undefined
  readonly isFile: boolean
  readonly charset: string
  /** The bytes as they were sent. */
  readonly sent: AsyncIterable<Uint8Array>
  readonly encoding: string
}

/** The parser of `@fastify/busboy`, in which parts show their header fields. */
interface PartParser extends Writable {
  readonly _parser?: {
    readonly parser: {
      prependListener(
        event: 'part',
        listener: (part: {
          on(
            event: 'header',
            listener: (header: Readonly<Record<string, ReadonlyArray<string>>>) => void,
          ): void
        }) => void,
      ): void
    }
  }
}

/** A parameter of a header field: its name, and its value in quotes or without. */
const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** Returns a parameter of a header field without blanks around it, or an empty text. Values of other parameters may look like one. */
const parameterOf = (field: string | undefined, name: string): string => {
  for (const [, found, quoted, plain = ''] of (field ?? '').matchAll(PARAMETER))
    if (found?.toLowerCase() === name) return (quoted?.replaceAll(/\\(.)/g, '$1') ?? plain).trim()
  return ''
}

/** Whether a part is a file: it is named as the upload, or has a file name (B10). */
const isFile = (name: string, fileName: string | undefined): boolean =>
  name === UPLOAD_FIELD || fileName !== undefined

/**
 * Returns the charsets of the parts by the streams of their content. The parser itself gives the type of a part without its charset.
 */
const charsetsOf = (parser: PartParser): WeakMap<object, string> => {
  const charsets = new WeakMap<object, string>()
  let latest = ''
  parser._parser?.parser.prependListener('part', (part) =>
    part.on('header', (header) => {
      latest = parameterOf(header['content-type']?.[0], 'charset') || 'utf-8'
    }),
  )
  parser.prependListener('file', (_name: string, content: object) => charsets.set(content, latest))
  return charsets
}

/** Ends a body when it has too many parts: the parser would go on to its end, at a cost for each, before one is looked at. */
const endBeyond = (body: Readable, parser: PartParser, limits: PartLimits): void => {
  let texts = 0
  const end = () => body.destroy(tooLarge())
  parser.once('partsLimit', end)
  parser.on('file', (name: string, _content: object, fileName: string | undefined) => {
    if (!isFile(name, fileName)) texts += 1
    if (texts > limits.texts) end()
  })
}

const NO_BOUNDARY =
  'The Content-Type multipart/form-data needs the parameter boundary, with the text between the parts.'

/**
 * Yields the parts of a body, none parsed by its type (B10): to the parser all are files. `@fastify/multipart` rejects requests that its own
 * hooks, which the API does not use, have not seen.
 */
export async function* partsOf(request: FastifyRequest, limits: PartLimits): AsyncGenerator<Part> {
  const body = contextOf(request).multipart
  if (!(body instanceof MeteredBody)) return
  // The client left while the request waited for its turn: the parser would wait for an end that has come already.
  if (body.destroyed) throw body.errored ?? new Error('The client is gone.')
  if (parameterOf(request.headers['content-type'], 'boundary') === '') throw unreadable(NO_BOUNDARY)
  let charsets = new WeakMap<object, string>()
  body.once('piping', (parser: PartParser) => {
    charsets = charsetsOf(parser)
    endBeyond(body, parser, limits)
  })
  const reader = Object.create(request, {
    isMultipart: { value: () => true },
    raw: { value: body },
  }) as FastifyRequest
  const options: Parameters<FastifyRequest['parts']>[0] & { readonly throwFileSizeLimit: false } = {
    limits: {
      fileSize: limits.fileSize,
      files: limits.parts,
      parts: limits.parts,
      headerPairs: 50,
      headerSize: 81_920,
    },
    throwFileSizeLimit: false,
    isPartAFile: () => true,
    // The name of a file is its path.
    preservePath: true,
  }
  for await (const part of reader.parts(options)) {
    if (part.type !== 'file') continue
    const { fieldname: name, filename, file, encoding } = part
    const fileName = filename as string | undefined
    yield {
      name,
      fileName,
      isFile: isFile(name, fileName),
      charset: charsets.get(file) ?? 'utf-8',
      sent: file,
      encoding,
    }
  }
}
