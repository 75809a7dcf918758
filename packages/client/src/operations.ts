import type { components, paths } from './generated/api.ts'
import { FEED_FIELDS, LIBRARY_FIELDS } from './generated/fields.ts'

/** The paths of the API. */
export type ApiPaths = paths

/** The objects of responses, by the names that the OpenAPI document gives them, as in `Schemas['Organization']` (I7). */
export type Schemas = components['schemas']

/** The methods that the interface knows. */
export type Method = 'get' | 'post' | 'put' | 'delete'

/** What the document says of one operation that answers JSON or nothing, as far as it matters here. */
interface Documented {
  readonly parameters: { readonly header?: object; readonly path?: object; readonly query?: object }
  readonly responses: { readonly 200: { headers: object; content?: { 'application/json': unknown } } }
}

/** Of the paths, those of OAuth are the client's own business. */
type PathIn<Paths> = {
  [P in keyof Paths]: P extends `/oauth2/${string}` | `/.well-known/${string}` ? never : P
}[keyof Paths]

/** The operation of a method at a path; never where there is none. */
export type Operation<M extends Method, P extends PathIn<Paths>, Paths = ApiPaths> = Extract<
  M extends keyof Paths[P] ? Paths[P][M] : never,
  Documented
>

type WithMethod<M extends Method, Paths> = {
  [P in PathIn<Paths>]: [Operation<M, P, Paths>] extends [never] ? never : P
}[PathIn<Paths>]

/** Paths that take an image. */
export type UploadPath<Paths = ApiPaths> = {
  [P in WithMethod<'post', Paths>]: Operation<'post', P, Paths> extends {
    requestBody: { content: { 'application/json': unknown } }
  }
    ? never
    : P
}[WithMethod<'post', Paths>]

/** What an upload resolves with: the URL of the image, or undefined if the publication could not be read after its upload. */
export type ImageUrlOf<P extends UploadPath<Paths>, Paths = ApiPaths> =
  DataOf<Operation<'post', P, Paths>> extends string ? string : string | undefined

/** Paths that take a method, with parameters; those of images are apart. */
export type PathOf<M extends Method, Paths = ApiPaths> = Exclude<
  WithMethod<M, Paths>,
  M extends 'post' ? UploadPath<Paths> : never
>

/** What an operation answers; undefined where its answer is empty. */
export type DataOf<O> = O extends {
  responses: { 200: { content: { 'application/json': infer Data } } }
}
  ? Data
  : undefined

/** Paths that answer page by page: those whose answers are documented to carry `Link` (C11). */
export type PagedPath<Paths = ApiPaths> = {
  [P in WithMethod<'get', Paths>]: 'Link' extends keyof KnownIn<
    Operation<'get', P, Paths>['responses'][200]['headers']
  >
    ? P
    : never
}[WithMethod<'get', Paths>]

/** The headers of these names. */
type KnownIn<Headers> = { [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name] }

type Member<List> = List extends ReadonlyArray<infer Element> ? Element : never
type Inner<Element> = Element extends object ? Element[keyof Element] : never

/** What a collection holds, out of its wrappings: of `{"items":[{"item":{…}}]}` the item. */
export type ElementOf<P extends PagedPath<Paths>, Paths = ApiPaths> = Inner<
  Member<Inner<DataOf<Operation<'get', P, Paths>>>>
>

/**
 * Keeps an item from being sent as an update as it was received: its empty image URLs would remove images that were uploaded since (C6).
 * Use `toUpdate`.
 */
interface NotAnItem {
  readonly createdAt?: never
}

type Body<O> = O extends { requestBody: { content: { 'application/json': infer Value } } }
  ? { readonly body: 'status' extends keyof Value ? Value & NotAnItem : Value }
  : unknown

/** What every request may have. */
interface Common {
  /** Gives the request up, wherever it is: waiting for a token or for a busy service, too. */
  readonly signal?: AbortSignal | undefined
}

/** What a write may have that heeds `If-Match`: the ETag that the item must still have (C10). */
interface Guarded {
  readonly ifMatch?: string | undefined
}

type Guard<O extends Documented> = 'If-Match' extends keyof NonNullable<O['parameters']['header']>
  ? Guarded
  : unknown

/** What a POST may have: a key of the caller's own, so that it may be sent again after this process has ended (I4). */
interface Keyed {
  readonly idempotencyKey?: string | undefined
}

type Key<O extends Documented> = 'Idempotency-Key' extends keyof NonNullable<O['parameters']['header']>
  ? Keyed
  : unknown

/** What a read may have whose answer the service can hold back until there is a change (N4). */
interface Held {
  /** Seconds that it may be held back. The read fails if no answer has come half a minute after that and the waits of a busy service. */
  readonly wait?: number | undefined
}

type Hold<O extends Documented> = 'Prefer' extends keyof NonNullable<O['parameters']['header']>
  ? Held
  : unknown

/** What an operation is asked with. */
export type Asked<O extends Documented> = Pick<O['parameters'], 'path' | 'query'> &
  Body<O> &
  Guard<O> &
  Key<O> &
  Hold<O> &
  Common

/** The arguments after the path: none are needed where nothing is required. */
export type Arguments<A> = Record<never, never> extends A ? [asked?: A] : [asked: A]

/** A publication, as responses have it. */
export type LibraryItem = Schemas['LibraryItem']

/** A post, as responses have it. */
export type FeedItem = Schemas['FeedItem']

/** The body of an update of a publication. */
export type LibraryUpdate = Asked<Operation<'post', '/library/{itemId}'>>['body']

/** The body of an update of a post. */
export type FeedUpdate = Asked<Operation<'post', '/feed/{itemId}'>>['body']

/** The type of {@link toUpdate}: a publication or a post, and changes of its fields. */
export interface ToUpdate {
  (item: LibraryItem, changes: Partial<LibraryUpdate>): LibraryUpdate
  (item: FeedItem, changes: Partial<FeedUpdate>): FeedUpdate
}

/**
 * Returns the body of an update that changes some fields of an item and repeats the others. Images stay as the service has them (C6):
 * an update changes them only if `changes` names them, and removes one with `''`. Send it with `ifMatch`, so that it fails if the other
 * fields have changed since the item was read (C10).
 * @example await api.post('/feed/{itemId}', { path, body: toUpdate(item, { status: 'Live' }), ifMatch: etag })
 */
export const toUpdate: ToUpdate = (item: LibraryItem | FeedItem, changes: object): never => {
  const values: Readonly<Record<string, unknown>> = { ...item }
  const names = Object.keys('itemType' in item ? FEED_FIELDS : LIBRARY_FIELDS)
  const repeated = names.map((name) => [name, values[name]])
  return { ...Object.fromEntries(repeated), status: item.status, ...changes } as never
}
