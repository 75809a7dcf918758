/**
 * A client of the service, typed by its OpenAPI document, for Node and browsers.
 * @module @almoner/client
 */

export { type Answer, type Call, type Client, type ClientOptions, createClient } from './client.ts'
export { ApiError, type FieldError, type ProblemCode, TokenError } from './errors.ts'
export type { Credentials } from './oauth.ts'
export type {
  Arguments,
  Asked,
  DataOf,
  ElementOf,
  Method,
  Operation,
  PagedPath,
  PathOf,
  UploadPath,
} from './operations.ts'
export type { AccessToken } from './tokens.ts'
