import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { stateOf } from '../request/state.ts'
import type { AnyParameters } from '../routes/route.ts'
import type { Answer, Collection, Tagged } from './answer.ts'
import { etagOf, isUnchanged } from './etag.ts'

/** What an answer is written to, and what its links are made of. */
export interface Writing {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parameters: AnyParameters
  readonly baseUrl: string
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Collections up to this many characters are sent in one piece, with their length. */
const ONE_PIECE = 262_144

/** A name in a path as Fastify writes it, with the pattern that may follow it. */
const PATH_NAME = /:([A-Za-z]+)(?:\([^)]*\))?/g

/** Parameters that the next page's address does not repeat: it has its own beginning. */
const NOT_REPEATED = new Set(['offset', 'after'])

/** A route's path with the names in it filled in by what the request's address named. */
const pathOf = ({ routeOptions, params }: FastifyRequest): string => {
  const values = params as Readonly<Record<string, string>>
  return (routeOptions.url ?? '/').replaceAll(PATH_NAME, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
}

/** The address of the next page: the known parameters of this one, so never the token (C11, A5). */
const nextAddress = (next: string, { request, parameters, baseUrl }: Writing): string => {
  const query = request.query as Readonly<Record<string, unknown>>
  const { required, optional } = parameters.shape
  const inPath = new Set(Object.keys(request.params ?? {}))
  const known = Object.keys({ ...required, ...optional }).filter(
    (name) => !NOT_REPEATED.has(name) && !inPath.has(name),
  )
  const kept = known.flatMap((name): ReadonlyArray<[string, string]> => {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return `${baseUrl}${pathOf(request)}?${new URLSearchParams([...kept, ['after', next]])}`
}

const piece = (batch: ReadonlyArray<string>, isFirst: boolean): string =>
  batch.length === 0 ? '' : `${isFirst ? '' : ','}${batch.join(',')}`

async function* pieces({ open, close, batches }: Collection): AsyncGenerator<string> {
  yield open
  let isFirst = true
  for await (const batch of batches) {
    const text = piece(batch, isFirst)
    isFirst = isFirst && text === ''
    yield text
  }
  yield close
}

/** What the beginning of a stream holds, and whether that was all of it. */
const readAhead = async (source: AsyncGenerator<string>) => {
  let text = ''
  while (text.length < ONE_PIECE) {
    const next = await source.next()
    if (next.done === true) return { text, whole: true }
    text += next.value
  }
  return { text, whole: false }
}

const writeCollection = async (collection: Collection, writing: Writing): Promise<FastifyReply> => {
  const { request, reply } = writing
  reply.type(JSON_TYPE)
  if (collection.next !== undefined)
    reply.header('Link', `<${nextAddress(collection.next, writing)}>; rel="next"`)
  const source = pieces(collection)
  // Whatever becomes of the answer, the snapshot behind it is let go: a stream that is destroyed before its first read would
  // never tell its source.
  const letGo = () => {
    source.return(undefined).catch(() => undefined)
  }
  reply.raw.once('close', letGo)
  if (reply.raw.destroyed) letGo()
  const { text, whole } = await readAhead(source)
  if (whole) return reply.send(text)
  if (request.method === 'HEAD') {
    await source.return(undefined)
    return reply.send(Readable.from([]))
  }
  const rest = async function* () {
    yield text
    try {
      yield* source
    } catch (cause) {
      // The status has gone out already: the connection ends short of the collection's end, and the log has the reason.
      stateOf(request).cause = cause
      throw cause
    }
  }
  return reply.send(Readable.from(rest(), { objectMode: false }))
}

const isRead = (request: FastifyRequest): boolean => request.method === 'GET' || request.method === 'HEAD'

const notModified = (tag: Tagged | undefined, { request, reply }: Writing): boolean => {
  if (tag === undefined) return false
  reply.header('ETag', etagOf(tag))
  return isRead(request) && isUnchanged(request.headers['if-none-match'], tag)
}

/** Writes an answer: 200 throughout (C1), but for 304 where the caller has it already (C10). */
export const writeAnswer = async (answer: Answer, writing: Writing): Promise<FastifyReply> => {
  const { reply } = writing
  if (answer.kind === 'empty') return reply.send()
  if (answer.kind === 'collection') return writeCollection(answer.collection, writing)
  if (notModified(answer.tag, writing)) return reply.code(304).send()
  return reply.type(JSON_TYPE).send(JSON.stringify(answer.body))
}
