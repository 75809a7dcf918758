import type { Caller } from '@almoner/domain'
import { type Change, ChangeCursor, type ChangesAnswer, ListChanges } from '@almoner/domain/changes'
import { isUnavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { UseCaseFailure } from '../problems/problem-of-failure.ts'
import type { JsonResponse, RouteResponse } from '../responses/headers.ts'
import { type DecodedRequest, type Route, routeOf, type Services } from '../route.ts'
import { ChangesJson, encodeLabel } from '../serializers/content.ts'
import type { Found, Held, WaitRequest } from '../waits.ts'
import { feedResponses, libraryResponses } from './content.ts'

type Answered = E.Either<UseCaseFailure, ChangesAnswer>

/** Makes the function that writes a change as JSON (N1). */
const makeWriteChange = (services: Services) => {
  const [library, feed] = [libraryResponses(services), feedResponses(services)]
  /** Puts the members of an object as collections have it, `{"item":{…}}`, into the change. */
  const put = ({ kind, id }: Change & { readonly id: string }, text: string): string =>
    `{"change":{"kind":"${kind}","id":${JSON.stringify(id)},"operation":"put",${text.slice(1)}}`
  return (change: Change): string => {
    if (change.operation !== 'put') return JSON.stringify({ change })
    if (change.kind === 'label') return put(change, JSON.stringify(encodeLabel(change.label)))
    return put(change, change.kind === 'library' ? library.listed(change.item) : feed.listed(change.item))
  }
}

/** Makes the function that responds with changes. */
const makeRespond = (services: Services) => {
  const write = makeWriteChange(services)
  return ({ changes, cursor, hasMore }: ChangesAnswer): JsonResponse => ({
    kind: 'json',
    text: `{"changes":[${changes.map(write).join(',')}],"cursor":${JSON.stringify(cursor)}}`,
    ...(hasMore && { next: ['since', cursor] }),
  })
}

/** Makes the handler: it answers, or holds the request back while nothing has changed (N4). */
const makeHandle = (services: Services) => {
  const write = makeRespond(services)
  const written = new WeakMap<ChangesAnswer, JsonResponse>()
  const respond = (answer: ChangesAnswer, wait: WaitRequest | undefined): RouteResponse => {
    const response = written.get(answer) ?? write(answer)
    written.set(answer, response)
    return wait === undefined
      ? response
      : { ...response, headers: { 'preference-applied': `wait=${wait.seconds}` } }
  }

  const find = async (caller: Caller, asked: ListChanges): Promise<Found<Answered>> => {
    const answer = await services.changes.list(caller, asked)()
    const cursor = E.isRight(answer) && answer.right.changes.length === 0 ? answer.right.cursor : undefined
    const since = cursor === undefined ? asked.since : E.toUnion(ChangeCursor.decode(cursor))
    return {
      answer,
      key: cursor === undefined ? undefined : `${cursor} ${asked.lim}`,
      again: async () => {
        const found = await find(caller, { ...asked, since: since as ListChanges['since'] })
        // A wait outlives an outage.
        if (E.isLeft(found.answer) && isUnavailable(found.answer.left)) throw found.answer.left
        return found
      },
    }
  }

  const afterWait =
    (wait: WaitRequest) =>
    ({ answer, isHeld }: Held<Answered>) =>
      E.map((one: ChangesAnswer) => respond(one, isHeld ? wait : undefined))(answer)

  // No async function: its variables, such as the decoded cursor, would be kept while the request waits.
  return ({ caller, wait }: DecodedRequest, asked: ListChanges) =>
    () =>
      wait === undefined
        ? TE.map((answer: ChangesAnswer) => respond(answer, wait))(services.changes.list(caller, asked))()
        : services.waits.hold(wait, () => find(caller, asked)).then(afterWait(wait))
}

/** What apps that keep a copy ask for (N1 to N4). */
export const CHANGES_ROUTES: ReadonlyArray<Route> = [
  routeOf('Changes')({
    method: 'GET',
    path: '/changes',
    name: 'listChanges',
    summary: 'List changes for the caller since a cursor; everything without one.',
    access: 'listChanges',
    parameters: ListChanges,
    response: { kind: 'one', codec: ChangesJson },
    waits: true,
    faults: [410],
    handle: makeHandle,
  }),
]
