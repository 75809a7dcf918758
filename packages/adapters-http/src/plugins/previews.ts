import type { Unavailable } from '@almoner/domain'
import { FEED_FIELDS, LIBRARY_FIELDS } from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { isPreviewToken, type PreviewedItem } from '@almoner/domain/managers'
import type { ItemId } from '@almoner/domain/values'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
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

const TYPE = { 'content-type': JSON_CONTENT }

const fail = (request: FastifyRequest, reply: FastifyReply, { cause }: Unavailable): FastifyReply =>
  respondWithProblem(request, reply, busy(cause))

/** Returns the token of a request that looks like one of a preview. */
const previewTokenOf = ({ raw, query }: FastifyRequest): string | undefined => {
  const token = oneToken(tokensInHead(authorizationsOf(raw), rawOf(query)))
  return E.isRight(token) && isPreviewToken(token.right) ? token.right : undefined
}

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
  const bodyOf = (contentType: ContentType, item: O.Option<PreviewedItem>): string =>
    `{"items":[${O.isSome(item) ? writers[contentType].item(item.value) : ''}]}`
  const answer =
    (contentType: ContentType): onRequestAsyncHookHandler =>
    async (request, reply) => {
      const token = previewTokenOf(request)
      if (token === undefined) return undefined
      const { itemId } = request.params as { readonly itemId: ItemId }
      const read = await services.console.readPreview(token, { contentType, itemId })()
      if (E.isLeft(read)) return read.left._tag === 'NoPreview' ? undefined : fail(request, reply, read.left)
      const body = bodyOf(contentType, read.right)
      return sendBuffered(request, reply.headers(HEADERS), { status: 200, body, headers: TYPE })
    }
  app.addHook('onRoute', (added) => {
    const contentType = ANSWERING[added.config?.route?.operation ?? '']
    if (contentType !== undefined) added.onRequest = [answer(contentType), added.onRequest ?? []].flat()
  })
  return services
}
