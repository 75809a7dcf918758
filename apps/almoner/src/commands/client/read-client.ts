import { type Client, ClientId, decode, Email } from '@almoner/domain'
import { grantsNothing, isClientName, isRole, isScope, ROLES, SCOPES } from '@almoner/domain/access'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { misused } from '../../failure.ts'

/** The options of `client add`. */
export interface ClientOptions {
  readonly id?: string
  readonly scope?: ReadonlyArray<string>
  readonly role?: ReadonlyArray<string>
  readonly email?: string
  readonly name?: string
}

/** Splits repeated options, each of which may hold several words, as in OAuth. */
const words = (texts: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...new Set(texts.flatMap((text) => text.split(/\s+/)).filter((word) => word !== '')),
]

const unknownErrors = (option: string, names: ReadonlyArray<string>, known: ReadonlyArray<string>) =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => `${option} ${JSON.stringify(name)} is not one of ${known.join(', ')}`)

/** A super-admin needs no scope: its role counts as one (A2). */
const scopeErrors = (scopes: ReadonlyArray<string>, roles: ReadonlyArray<string>) =>
  scopes.length === 0 && grantsNothing({ scopes: [], roles: roles.filter(isRole) })
    ? ['--scope is required unless --role super-admin is given']
    : unknownErrors('--scope', scopes, SCOPES)

/** Reads the options, or throws one line that names everything wrong with them. */
export const readClient = (options: ClientOptions): Client => {
  const [scopes, roles] = [words(options.scope), words(options.role)]
  const id = decode(ClientId)(options.id)
  const email = options.email === undefined ? E.right(undefined) : decode(Email)(options.email)
  const name = options.name ?? options.id ?? ''
  const errors = [
    ...(E.isLeft(id) ? [`--id ${id.left.errors[0].message}`] : []),
    ...scopeErrors(scopes, roles),
    ...unknownErrors('--role', roles, ROLES),
    ...(E.isLeft(email) ? [`--email ${email.left.errors[0].message}`] : []),
    ...(isClientName(name) ? [] : ['--name must have at most 200 characters']),
  ]
  if (E.isLeft(id) || E.isLeft(email) || errors.length > 0) throw misused(errors.join('; '))
  return {
    id: id.right,
    name,
    scopes: scopes.filter(isScope),
    roles: roles.filter(isRole),
    email: O.fromNullable(email.right),
    disabled: false,
  }
}
