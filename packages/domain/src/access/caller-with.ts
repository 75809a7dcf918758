import * as O from 'fp-ts/lib/Option.js'
import type { Email } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'
import { type Caller, callerOf } from './caller.ts'
import type { Scope } from './scopes.ts'

/**
 * Returns a caller for a service that authenticates its users itself (A1). The client id is `embedded`.
 * @param scope also grants the lower scopes (A2)
 * @param email the user for whom the caller acts, if any (F3)
 */
export const callerWith = (scope: Scope, email?: Email): Caller =>
  callerOf({ clientId: 'embedded' as ClientId, scopes: [scope], roles: [], email: O.fromNullable(email) })
