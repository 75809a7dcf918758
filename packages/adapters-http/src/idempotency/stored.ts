import type { StoredResponse } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { etagOf } from '../responses/etag.ts'
import { JSON_CONTENT } from '../responses/render.ts'
import type { Answer } from '../responses/route-response.ts'

/** Returns the response to a write, as it is stored. A collection is none: no write gives one. */
export const storedOf = (answer: Answer): StoredResponse => {
  switch (answer.kind) {
    case 'json':
      return {
        status: 200,
        contentType: O.some(JSON_CONTENT),
        etag: answer.tag === undefined ? O.none : O.some(etagOf(answer.tag)),
        body: answer.text,
      }
    case 'empty':
      return { status: 200, contentType: O.none, etag: O.none, body: '' }
    case 'stored':
      return answer.response
    case 'collection':
      throw new Error('a write answers one thing or nothing')
  }
}
