/**
 * A client of the service, typed by its OpenAPI document, for Node and browsers.
 * @module @almoner/client
 */

export { type Answer, type Call, type Client, type ClientOptions, createClient } from './client.ts'
export type { paths as ConsolePaths } from './generated/console.ts'
export type { Credentials } from './oauth.ts'
export { ApiError, type FieldError, type ProblemCode, TokenError } from './oauth.ts'
export type {
  ApiPaths,
  Arguments,
  Asked,
  DataOf,
  ElementOf,
  ImageUrlOf,
  Method,
  Operation,
  PagedPath,
  PathOf,
  Schemas,
  UploadPath,
} from './operations.ts'
export {
  type FeedItem,
  type FeedUpdate,
  type LibraryItem,
  type LibraryUpdate,
  type ToUpdate,
  toUpdate,
} from './operations.ts'
export { memoryStore } from './sync/memory-store.ts'
export type {
  CopyChange,
  CopyEntry,
  CopyKey,
  CopyKind,
  CopyListener,
  CopyObjects,
  CopyPosition,
  CopyStep,
  Label,
  SyncStore,
} from './sync/model.ts'
export { type CopyFilter, createSync, type RunOptions, type Sync, type SyncOptions } from './sync/sync.ts'
export type { AccessToken } from './tokens.ts'
