import type { Policy, Ports } from '@almoner/domain'
import { REQUIREMENTS } from '@almoner/domain/access'
import {
  makeMakeWaitingFeed,
  makeReadWaitingFeed,
  makeRemoveWaitingFeed,
  makeShowWaitingFeed,
  type WaitingPosts,
} from '@almoner/domain/operations'
import { type Instant, type Language, parameters, type TimeZone, toRfc3339 } from '@almoner/domain/values'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { busy, type Problem, UNKNOWN_PATH } from '../problems/problem.ts'
import { respondWithProblem } from '../problems/send-problem.ts'
import { addRoute } from '../request-context.ts'
import type { RouteDescription } from '../route.ts'
import {
  encodeNewWaitingFeed,
  encodeWaitingFeed,
  NewWaitingFeedJson,
  WaitingFeedJson,
} from '../serializers/managers.ts'
import { CONSOLE_PATH } from '../settings.ts'
import { addOwn, type SignInParts, tooManyAttempts } from './sign-in-response.ts'

const OWN = {
  tag: 'Session',
  access: REQUIREMENTS.useOwnAccount,
  path: '/session/waiting-feed',
  parameters: parameters({ name: 'NoWaitingFeedParameters', required: {}, optional: {} }),
} as const

/** The operations on one's own waiting feed (M14). */
export const OWN_WAITING_FEED = {
  show: {
    ...OWN,
    method: 'GET',
    operation: 'showWaitingFeed',
    summary: 'Show when the private address for a feed reader was made.',
    response: { kind: 'one', codec: WaitingFeedJson },
  },
  make: {
    ...OWN,
    method: 'PUT',
    operation: 'makeWaitingFeed',
    summary: 'Make a private address at which a feed reader asks how many posts wait. An earlier one ends.',
    response: { kind: 'one', codec: NewWaitingFeedJson },
  },
  remove: {
    ...OWN,
    method: 'DELETE',
    operation: 'removeWaitingFeed',
    summary: 'End the private address for a feed reader.',
    response: { kind: 'empty' },
  },
} as const satisfies Readonly<Record<string, RouteDescription>>

/** Adds the routes by which managers make and end their waiting feeds (M14). */
export const addOwnWaitingFeed = (app: FastifyInstance, parts: SignInParts): void => {
  const { ports, baseUrl } = parts
  const { show, make, remove } = OWN_WAITING_FEED
  const [showFeed, makeFeed] = [makeShowWaitingFeed(ports), makeMakeWaitingFeed(ports)]
  addOwn(app, parts, show, (active) => TE.map(encodeWaitingFeed)(showFeed(active)))
  addOwn(app, parts, make, (active) =>
    pipe(
      makeFeed(active),
      TE.map((feed) => encodeNewWaitingFeed(feed, `${baseUrl()}${CONSOLE_PATH}/waiting/${feed.secret}`)),
    ),
  )
  addOwn(app, parts, remove, makeRemoveWaitingFeed(ports))
}

interface FeedWords {
  readonly title: string
  readonly waiting: (count: number) => string
  readonly since: (moment: string) => string
}

const WORDS: Readonly<Record<Language, FeedWords>> = {
  en: {
    title: 'Posts that wait for approval',
    waiting: (count) => (count === 1 ? 'One post waits for approval' : `${count} posts wait for approval`),
    since: (moment) => `The oldest has waited since ${moment}.`,
  },
  fr: {
    title: 'Publications de donateurs à examiner',
    waiting: (count) => (count === 1 ? 'Une publication à examiner' : `${count} publications à examiner`),
    since: (moment) => `La plus ancienne attend depuis le ${moment}.`,
  },
}

const momentOf = (lang: Language, timeZone: TimeZone, at: Instant): string =>
  new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : 'fr-FR', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  }).format(at)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Writes an Atom feed (RFC 4287) with one entry while posts wait. The entry has another id as soon as the number or the oldest post changes, so
 * that feed readers show it again.
 */
const atomOf = ({ waiting, oldestWaiting, lang, timeZone, at }: WaitingPosts, baseUrl: string): string => {
  const [words, queue] = [WORDS[lang], escaped(`${baseUrl}${CONSOLE_PATH}/queue`)]
  const since = O.isSome(oldestWaiting) ? oldestWaiting.value : at
  const entry =
    waiting === 0
      ? ''
      : `<entry><id>${queue}#${toRfc3339(since)}/${waiting}</id><title>${words.waiting(waiting)}</title>` +
        `<updated>${toRfc3339(since)}</updated><link href="${queue}"/>` +
        `<summary>${escaped(words.since(momentOf(lang, timeZone, since)))}</summary></entry>`
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${lang}"><id>${queue}</id>` +
    `<title>${words.title}</title><updated>${toRfc3339(at)}</updated><author><name>Almoner</name></author><link href="${queue}"/>${entry}</feed>\n`
  )
}

/** Adds the address at which feed readers ask how many posts wait (M14). It takes no cookie. */
export const addWaitingFeed = (
  app: FastifyInstance,
  {
    ports,
    policy,
    baseUrl,
  }: { readonly ports: Ports; readonly policy: Policy; readonly baseUrl: () => string },
): void => {
  const read = makeReadWaitingFeed(ports, policy)
  addRoute(app, {
    method: ['GET', 'HEAD'],
    url: '/waiting/:secret',
    handler: async (request, reply) => {
      const { secret } = request.params as { readonly secret: string }
      reply.header('cache-control', 'private, no-store')
      const found = await read(secret, request.ip)()
      if (E.isRight(found))
        return reply.type('application/atom+xml; charset=utf-8').send(atomOf(found.right, baseUrl()))
      const problem = ((failure): Problem => {
        if (failure._tag === 'NoWaitingFeed') return UNKNOWN_PATH
        return failure._tag === 'TooManyAttempts'
          ? tooManyAttempts(failure, ports.clock.now())
          : busy(failure.cause)
      })(found.left)
      return respondWithProblem(request, reply, problem)
    },
  })
}
