import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { Email } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'
import { type Caller, callerOf, isRole, isScope, ROLES, type Role, SCOPES, type Scope } from './caller.ts'

/**
 * Returns a caller for a service that authenticates its users itself (A1). The client id is `embedded`; {@link hostCaller} takes an identifier,
 * and roles.
 * @param scope also grants the lower scopes (A2)
 * @param email the address of the user for whom the caller acts, if any (F3)
 * @throws {TypeError} if the text is no email address
 */
export const callerWith = (scope: Scope, email?: string): Caller => {
  const user = email === undefined ? undefined : Email.decode(email)
  if (user !== undefined && E.isLeft(user)) throw new TypeError('callerWith: email must be an email address')
  return callerOf({
    clientId: 'embedded' as ClientId,
    scopes: [scope],
    roles: [],
    email: O.fromNullable(user?.right),
  })
}

/** A signed-in user as an embedding service names it. */
export interface HostCaller {
  /**
   * The service's own identifier of the user: 1 to 200 characters without `@` and control characters. It is the actor of changes (K1); idempotency
   * keys (I4) and limits (A8) count by it.
   */
  readonly id: string
  /** Each also grants the lower scopes (A2). */
  readonly scopes: ReadonlyArray<Scope>
  readonly roles?: ReadonlyArray<Role> | undefined
  /** The address of the user for whom the caller acts, if any (F3), and the author of its posts (L3). */
  readonly email?: string | undefined
}

const LONGEST_ID = 200

const isHostId = (id: unknown): id is string =>
  typeof id === 'string' &&
  id !== '' &&
  [...id].length <= LONGEST_ID &&
  id.isWellFormed() &&
  !/[@\p{Cc}]/u.test(id)

/** Returns the names that a list holds; undefined unless it is a list of nothing else. */
const namesIn = <A extends string>(list: unknown, isName: (text: string) => text is A) => {
  const names: ReadonlyArray<unknown> | undefined = Array.isArray(list) ? [...list] : undefined
  return names?.every((name): name is A => typeof name === 'string' && isName(name)) ? names : undefined
}

/**
 * Reads a caller as an embedding service names it. Grants what it lists and what that includes (A2), nothing else.
 * @returns the fault of each wrong member, without its value, which may be an address
 */
export const readHostCaller = (given: unknown): E.Either<string, Caller> => {
  if (typeof given !== 'object' || given === null)
    return E.left('must be an object, or undefined if no user is signed in')
  // Each member is read once: what was checked is what counts.
  const { id, scopes, roles = [], email } = given as Readonly<Record<keyof HostCaller, unknown>>
  const [scopeNames, roleNames] = [namesIn(scopes, isScope), namesIn(roles, isRole)]
  const user = email === undefined ? E.right(undefined) : Email.decode(email)
  const faults = [
    ...(isHostId(id)
      ? []
      : [
          `id must be 1 to ${LONGEST_ID} characters without @ and control characters, the same for a user each time`,
        ]),
    ...(scopeNames === undefined ? [`scopes must be a list of ${SCOPES.join(', ')}`] : []),
    ...(roleNames === undefined ? [`roles must be a list of ${ROLES.join(', ')}`] : []),
    ...(E.isLeft(user) ? ['email must be an email address'] : []),
  ]
  if (!isHostId(id) || scopeNames === undefined || roleNames === undefined || E.isLeft(user))
    return E.left(faults.join('; '))
  // No registered client and no session of the console has such an id, so neither shares a key with the caller.
  const clientId = `host:${id}` as ClientId
  const caller = callerOf({
    clientId,
    scopes: scopeNames,
    roles: roleNames,
    email: O.fromNullable(user.right),
  })
  return E.right({ ...caller, actor: { kind: 'host', id } })
}

/**
 * Returns the caller that an embedding service names, as {@link HostCaller} describes it.
 * @throws {TypeError} that names each wrong member
 */
export const hostCaller = (given: HostCaller): Caller => {
  const read = readHostCaller(given)
  if (E.isLeft(read)) throw new TypeError(`hostCaller: ${read.left}`)
  return read.right
}
