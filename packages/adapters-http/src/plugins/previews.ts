import { FEED_FIELDS, LIBRARY_FIELDS } from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { isPreviewToken } from '@almoner/domain/managers'
import type { ItemId } from '@almoner/domain/values'
import type { onRequestAsyncHookHandler } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Extension } from '../extension.ts'
import { busy } from '../problems/problem.ts'
import { respondWithProblem } from '../problems/send-problem.ts'
import { authorizationsOf, oneToken, tokensInHead } from '../request/authentication.ts'
import { rawOf } from '../request/parameters.ts'
import { JSON_CONTENT } from '../responses/headers.ts'
import { sendBuffered } from '../responses/send.ts'
import { makeItemWriter } from '../serializers/content.ts'

/** The routes that answer preview tokens, by operation. */
const ANSWERING: Readonly<Record<string, ContentType>> = { getLibraryItem: 'library', getFeedItem: 'feed' }

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/**
 * Answers preview tokens, an extension of the API (A11): the one item that a token is for, by path, as its text would look when Live. Everywhere
 * else, and once they have ended, such tokens are unknown. No cache sees these responses.
 */
export const previewTokens: Extension = (app, services) => {
  const { mediaAddresses } = services.ports
  const writers = {
    library: makeItemWriter(LIBRARY_FIELDS, mediaAddresses),
    feed: makeItemWriter(FEED_FIELDS, mediaAddresses),
  }
  const answer =
    (contentType: ContentType): onRequestAsyncHookHandler =>
    async (request, reply) => {
      const token = oneToken(tokensInHead(authorizationsOf(request.raw), rawOf(request.query)))
      if (E.isLeft(token) || !isPreviewToken(token.right)) return undefined
      const { itemId } = request.params as { readonly itemId: ItemId }
      const read = await services.console.readPreview(token.right, { contentType, itemId })()
      if (E.isLeft(read))
        return read.left._tag === 'NoPreview'
          ? undefined
          : respondWithProblem(request, reply, busy(read.left.cause))
      const items = O.isSome(read.right) ? writers[contentType].item(read.right.value) : ''
      return sendBuffered(request, reply.headers(HEADERS), {
        ...{ status: 200, body: `{"items":[${items}]}`, headers: { 'content-type': JSON_CONTENT } },
      })
    }
  app.addHook('onRoute', (added) => {
    const contentType = ANSWERING[added.config?.route?.operation ?? '']
    if (contentType !== undefined) added.onRequest = [answer(contentType), added.onRequest ?? []].flat()
  })
  return services
}
