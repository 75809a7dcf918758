import { setTimeout } from 'node:timers/promises'
import {
  type Almoner,
  type Caller,
  createAlmoner,
  decode,
  type FieldError,
  type ItemId,
  type Policy,
  type Ports,
  type ValidationFailed,
} from '@almoner/domain'
import {
  type IdempotencyKey,
  keyOwner,
  type Operation,
  REQUIREMENTS,
  type Receipt,
  type Requirement,
} from '@almoner/domain/access'
import type { ChangesAnswer } from '@almoner/domain/changes'
import type { ItemCore, Precondition } from '@almoner/domain/content'
import { type ContentType, type DataPart, itemPart } from '@almoner/domain/history'
import { NO_IMAGE } from '@almoner/domain/media'
import { makeFurtherPayloadErrors } from '@almoner/domain/notifications'
import type { Host } from '@almoner/domain/operations'
import { furtherUserErrors, makeFurtherDeviceErrors } from '@almoner/domain/people'
import { makeFurtherYearErrors, type OpenedPortfolio, type Report } from '@almoner/domain/portfolio'
import { fieldError, type RawParameters, validationFailed } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import { digestOf, makeOnce, type Once, readKey } from './idempotency.ts'
import type { Problem } from './problems/problem.ts'
import { problemOf, type UseCaseFailure } from './problems/problem-of-failure.ts'
import type { UploadRule } from './request/multipart-body.ts'
import type { AnyParameters } from './request/parameters.ts'
import type { RouteResponse } from './responses/headers.ts'
import { makeWaits, WAIT_LIMITS, type WaitLimits, type WaitRequest, type Waits } from './waits.ts'

/** An item as JSON. */
export interface RenderedItem {
  readonly text: string
  /** The same as bytes after a comma, as collections are made of. */
  readonly bytes: Buffer
}

/** The use cases that routes call, and what routes need beside them. */
export interface Services extends Almoner {
  /** Further errors of rejected requests (I1). */
  readonly furtherErrors: {
    readonly user: typeof furtherUserErrors
    readonly device: ReturnType<typeof makeFurtherDeviceErrors>
    readonly payload: ReturnType<typeof makeFurtherPayloadErrors>
    readonly year: ReturnType<typeof makeFurtherYearErrors>
  }
  readonly once: Once
  /** The requests that wait for changes (N4). */
  readonly waits: Waits<E.Either<UseCaseFailure, ChangesAnswer>>
  /** Renders items with a cache. */
  readonly renderItems?: <A extends ItemCore>(
    contentType: ContentType,
    render: (item: A) => string,
  ) => (item: A) => RenderedItem
}

/** Binds all use cases to one set of ports. Operators see what the host knows of itself, if it is given. */
export const makeServices = (
  ports: Ports,
  policy: Policy,
  host?: Host,
  limits: WaitLimits = WAIT_LIMITS,
): Services => {
  const almoner = createAlmoner(ports, policy, host)
  return {
    ...almoner,
    furtherErrors: {
      user: furtherUserErrors,
      device: makeFurtherDeviceErrors(policy),
      payload: makeFurtherPayloadErrors(ports, policy),
      year: makeFurtherYearErrors(policy),
    },
    once: makeOnce(ports),
    waits: makeWaits({
      limits,
      watch: async () => E.toUnion(E.mapLeft(() => undefined)(await almoner.changes.watch()())),
      pause: (milliseconds) => () => setTimeout(milliseconds, undefined, { ref: false }),
      now: () => performance.now(),
    }),
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The methods whose parameters come in a body (B1). */
export const WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT'])

/** A request as a route takes it. */
interface RouteRequest {
  readonly caller: Caller
  readonly raw: RawParameters
  readonly expected: Precondition
  /** The bytes of the upload, if one came. */
  readonly upload: Uint8Array | undefined
  /** The opened files, of a route that takes several. */
  readonly files?: OpenedPortfolio | undefined
  /** Shows the client how far the work with the files is. */
  readonly report?: Report | undefined
  /** The `Idempotency-Key` of a POST, and the part of the head that it depends on (I4). */
  readonly key: string | undefined
  readonly ifMatch: string | undefined
  readonly query: RawParameters
  /** How long the response may be held back, for routes that do so (N4). */
  readonly wait?: WaitRequest | undefined
}

/** A request whose parameters are decoded. */
export interface DecodedRequest extends RouteRequest {
  /** Makes the receipt of a write from its response; undefined where the request has no key (I4). */
  readonly receipt: <A>(respond: (result: A) => RouteResponse) => Receipt<A> | undefined
}

/** Returns the parts of the data that the response to a request is read from, by its parameters of path and query as they came. */
export type ReadsOf = (path: RawParameters, query: RawParameters) => ReadonlyArray<DataPart> | undefined

/** A UUID as this program writes it. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the item that a path names as a part of the data; all items of its kind if that is no id. */
export const namedItem = (contentType: ContentType, itemId: unknown): DataPart =>
  typeof itemId === 'string' && ID.test(itemId) ? itemPart(contentType, itemId as ItemId) : contentType

/** The shape of a response, for the OpenAPI document. */
export type ResponseShape =
  | { readonly kind: 'one'; readonly codec: t.Mixed }
  /** `{"<key>":[…]}`, the codec being that of an element. */
  | { readonly kind: 'collection'; readonly key: string; readonly codec: t.Mixed; readonly paged: boolean }
  | { readonly kind: 'empty' }
  /** A zip archive. */
  | { readonly kind: 'archive' }

/** The description of a route, without its code. */
export interface RouteDescription {
  readonly method: Method
  /** As Fastify writes it: `/library/:itemId`. */
  readonly path: string
  readonly operation: string
  readonly summary: string
  readonly tag: string
  /** What the operation asks of its caller, from the domain's table; the use case checks it too (M10). */
  readonly access: Requirement
  /** Whether responses hold a secret or personal data: no cache of a browser may store them. */
  readonly confidential?: true
  readonly parameters: AnyParameters
  readonly upload?: UploadRule
  /** Whether a multipart body holds the files of a folder, or an archive. */
  readonly files?: true
  /** Bytes that a body may have, where more than `BODY_LIMIT`. */
  readonly bodyLimit?: number
  readonly response: ResponseShape
  /**
   * Returns the parts of the data that a response is read from, for routes where all callers with the same scopes and roles get the same
   * response until one of these is written; undefined for a response that no cache may keep.
   */
  readonly readsOf?: ReadsOf
  /** Whether the response carries an ETag: of the item or notification (C10), or a digest (C14). A page, asked for with `lim`, always has a digest. */
  readonly hasETag?: true | 'digest'
  /** Whether a write honours If-Match (C10). */
  readonly honoursIfMatch?: true
  /** Whether a response that is no collection has a `Link` to the next one, and may be held back until there is one (N1, N4). */
  readonly waits?: true
  /** Statuses that not all routes may respond with. */
  readonly faults?: ReadonlyArray<number>
}

/** Returns whether a route answers with pages: of a collection that takes `lim` (C11). */
export const isPaged = ({ response }: RouteDescription): boolean =>
  response.kind === 'collection' && response.paged

/** A route of the API: a value that the server, the OpenAPI document and the command line read. */
export interface Route extends RouteDescription {
  /** Decodes the parameters, runs the use case and encodes its result. */
  readonly run: (services: Services) => (request: RouteRequest) => TE.TaskEither<Problem, RouteResponse>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the API that is registered. */
    readonly route?: RouteDescription
  }
}

type Handler<P> = (request: DecodedRequest, parameters: P) => TE.TaskEither<UseCaseFailure, RouteResponse>

interface Spec<P extends AnyParameters>
  extends Omit<RouteDescription, 'access' | 'operation' | 'parameters' | 'tag'> {
  readonly name: string
  readonly access: Operation
  readonly parameters: P
  readonly handle: (services: Services) => Handler<t.TypeOf<P>>
  /** Further errors of a rejected request, which neither its codec nor the rule that rejected it can find (I1). */
  readonly furtherErrors?: (
    services: Services,
  ) => (caller: Caller, raw: RawParameters) => TE.TaskEither<UseCaseFailure, ReadonlyArray<FieldError>>
}

/** Adds the errors of fields that have none yet. */
const withFurtherErrors = (
  { errors }: ValidationFailed,
  further: ReadonlyArray<FieldError>,
): ValidationFailed => {
  const named = new Set(errors.map(({ field }) => field))
  const [first, ...rest] = errors
  return validationFailed([first, ...rest, ...further.filter(({ field }) => !named.has(field))])
}

/** Joins the errors of parameters and key: one response names all of them (I1). */
const allErrors = (...parts: ReadonlyArray<E.Either<ValidationFailed, unknown>>): ValidationFailed => {
  const faults = parts.flatMap((part) => (E.isLeft(part) ? part.left.errors : []))
  const [first = fieldError('', 'is not valid'), ...others] = faults
  return validationFailed([first, ...others])
}

/** Runs a use case and responds with its result. */
export const call =
  <P, A>(
    useCase: (caller: Caller, parameters: P) => TE.TaskEither<UseCaseFailure, A>,
    response: (result: A) => RouteResponse | Promise<RouteResponse>,
  ): Handler<P> =>
  ({ caller }, parameters) =>
  async () => {
    const result = await useCase(caller, parameters)()
    return E.isLeft(result) ? result : E.right(await response(result.right))
  }

/** Runs a write and responds with its result. If the request has a key, the write stores the same response (I4). */
const writing =
  <P, A>(
    run: (
      request: DecodedRequest,
      parameters: P,
      receipt: Receipt<A> | undefined,
    ) => TE.TaskEither<UseCaseFailure, A>,
    response: (result: A) => RouteResponse,
  ): Handler<P> =>
  (request, parameters) =>
    pipe(run(request, parameters, request.receipt(response)), TE.map(response))

type Written<A> = TE.TaskEither<UseCaseFailure, A>

/** Runs a write and responds with its result. */
export const write = <P, A>(
  useCase: (caller: Caller, parameters: P, receipt?: Receipt<A>) => Written<A>,
  response: (result: A) => RouteResponse,
): Handler<P> =>
  writing(({ caller }, parameters: P, receipt) => useCase(caller, parameters, receipt), response)

/** Runs a write under the precondition of the request (C10). */
export const edit = <P, A>(
  useCase: (caller: Caller, parameters: P, expected: Precondition, receipt?: Receipt<A>) => Written<A>,
  response: (result: A) => RouteResponse,
): Handler<P> =>
  writing(
    ({ caller, expected }, parameters: P, receipt) => useCase(caller, parameters, expected, receipt),
    response,
  )

/** Runs a write of the uploaded image under the precondition of the request. */
export const upload = <P, A>(
  useCase: (
    caller: Caller,
    parameters: P,
    bytes: Uint8Array,
    expected: Precondition,
    receipt?: Receipt<A>,
  ) => Written<A>,
  response: (result: A) => RouteResponse,
): Handler<P> =>
  writing(
    ({ caller, expected, upload: bytes }, parameters: P, receipt) =>
      bytes === undefined ? TE.left(NO_IMAGE) : useCase(caller, parameters, bytes, expected, receipt),
    response,
  )

/** Makes routes with a tag: each decodes the parameters with the route's codec and calls the use case. */
export const routeOf =
  (tag: string) =>
  <P extends AnyParameters>({ name, handle, access, furtherErrors, ...rest }: Spec<P>): Route => ({
    ...rest,
    tag,
    operation: name,
    access: REQUIREMENTS[access],
    run: (services) => {
      const handler = handle(services)
      const read = decode<t.TypeOf<P>>(rest.parameters)
      const further = furtherErrors?.(services) ?? (() => TE.right([]))
      const problem = (
        { caller, raw }: RouteRequest,
        failure: UseCaseFailure,
      ): TE.TaskEither<Problem, never> =>
        failure._tag !== 'ValidationFailed'
          ? TE.left(problemOf(failure))
          : pipe(
              further(caller, raw),
              TE.flatMap((more) => TE.left<UseCaseFailure>(withFurtherErrors(failure, more))),
              TE.mapError(problemOf),
            )
      /** Runs the handler, once for all requests with the same key. */
      const work = (
        request: RouteRequest,
        parameters: t.TypeOf<P>,
        key: IdempotencyKey | undefined,
      ): TE.TaskEither<UseCaseFailure, RouteResponse> => {
        if (key === undefined) return handler({ ...request, receipt: () => undefined }, parameters)
        const { method, path } = rest
        const { caller, upload, query, ifMatch } = request
        const digest = digestOf({ method, path, query, ifMatch, parameters, upload })
        const keyed = { ...keyOwner(caller), key, digest, at: services.ports.clock.now() }
        return services.once(keyed, (receipt) => handler({ ...request, receipt }, parameters))
      }
      const keyOf = (request: RouteRequest) =>
        rest.method === 'POST' && request.key ? readKey(request.key) : E.right(undefined)
      // No async function: the parameters would be kept while the request waits (N4).
      return (request) => () => {
        const [parameters, key] = [read(request.raw), keyOf(request)]
        if (E.isLeft(parameters) || E.isLeft(key)) return problem(request, allErrors(parameters, key))()
        return work(request, parameters.right, key.right)().then(
          (outcome): E.Either<Problem, RouteResponse> | Promise<E.Either<Problem, never>> =>
            E.isLeft(outcome) ? problem(request, outcome.left)() : outcome,
        )
      }
    },
  })
