import type { StoredResponse } from '@almoner/domain'
import type { FastifyRequest } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'
import type { AnyParameters } from '../route.ts'
import { etagOf } from './etag.ts'
import { nextAddress } from './next-page-url.ts'
import type { Answer, Collection, Tagged } from './route-response.ts'

/** What an answer's links are made of. */
export interface Asked {
  readonly request: FastifyRequest
  readonly parameters: AnyParameters
  readonly baseUrl: string
}

/** An answer that may go out as often as it is asked for. */
export interface ReadyAnswer {
  readonly kind: 'ready'
  /** 200 unless given. */
  readonly status?: number
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
  /** What its ETag stands for, where it has one (C10). */
  readonly tag: Tagged | undefined
}

/** A collection that is too long for one piece: its beginning, and a source of the rest, which goes out once. */
export interface StreamedAnswer {
  readonly kind: 'streamed'
  readonly beginning: string
  readonly rest: AsyncGenerator<string>
  readonly headers: ReadyAnswer['headers']
}

/** The type of every answer that has a body. */
export const JSON_CONTENT = 'application/json; charset=utf-8'

const JSON_TYPE = { 'content-type': JSON_CONTENT }

/** Collections up to this many characters or bytes are sent in one piece, with their length. */
const ONE_PIECE = 262_144

const piece = (batch: ReadonlyArray<string>, isFirst: boolean): string =>
  batch.length === 0 ? '' : `${isFirst ? '' : ','}${batch.join(',')}`

async function* pieces({ open, close, batches }: Collection): AsyncGenerator<string> {
  yield open
  let isFirst = true
  for await (const batch of batches()) {
    const text = piece(batch, isFirst)
    isFirst = isFirst && text === ''
    yield text
  }
  yield close
}

/** Marks a response that was given before (I4). */
const REPLAYED = { 'idempotency-replayed': 'true' }

const replayed = ({ status, contentType, etag, body }: StoredResponse): ReadyAnswer => ({
  kind: 'ready',
  status,
  body: Buffer.from(body),
  headers: {
    ...REPLAYED,
    ...(O.isSome(contentType) ? { 'content-type': contentType.value } : {}),
    ...(O.isSome(etag) ? { etag: etag.value } : {}),
  },
  tag: undefined,
})

const readAhead = async (
  source: AsyncGenerator<string>,
  headers: ReadyAnswer['headers'],
): Promise<ReadyAnswer | StreamedAnswer> => {
  let text = ''
  while (text.length < ONE_PIECE) {
    const next = await source.next()
    if (next.done === true) return { kind: 'ready', body: Buffer.from(text), headers, tag: undefined }
    text += next.value
  }
  return { kind: 'streamed', beginning: text, rest: source, headers }
}

/** An answer as it goes out: read to its end where that is not far. */
export const makeReady = async (answer: Answer, asked: Asked): Promise<ReadyAnswer | StreamedAnswer> => {
  switch (answer.kind) {
    case 'empty':
      return { kind: 'ready', body: Buffer.alloc(0), headers: {}, tag: undefined }
    case 'json': {
      const { tag, text } = answer
      const headers = tag === undefined ? JSON_TYPE : { ...JSON_TYPE, etag: etagOf(tag) }
      return { kind: 'ready', body: Buffer.from(text), headers, tag }
    }
    case 'stored':
      return replayed(answer.response)
    case 'collection': {
      const { next, whole } = answer.collection
      const headers =
        next === undefined ? JSON_TYPE : { ...JSON_TYPE, link: `<${nextAddress(next, asked)}>; rel="next"` }
      const body = whole?.()
      return body !== undefined && body.length <= ONE_PIECE
        ? { kind: 'ready', body, headers, tag: undefined }
        : readAhead(pieces(answer.collection), headers)
    }
  }
}
