import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { Email } from '../values/addresses.ts'
import { ClientId } from '../values/ids.ts'
import { decode } from '../values/parameters.ts'
import { isRole, isScope, ROLES, SCOPES } from './caller.ts'
import { isAudience, isClientName } from './clients.ts'
import { type Client, grantsNothing } from './model.ts'

/** The options by which a command registers a client, as they were typed. */
export interface ClientOptions {
  readonly id?: string
  readonly scope?: ReadonlyArray<string>
  readonly role?: ReadonlyArray<string>
  readonly email?: string
  readonly name?: string
  readonly forPeople?: boolean
  readonly public?: boolean
  readonly audience?: string
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

/** Says which options do not go together (A10). */
const peopleErrors = (
  { forPeople, public: isPublic, audience }: ClientOptions,
  scopes: ReadonlyArray<string>,
  roles: ReadonlyArray<string>,
): ReadonlyArray<string> => [
  ...(isPublic && roles.length > 0 ? ['--public goes with no --role'] : []),
  ...(isPublic && scopes.includes('content-manager') ? ['--public goes without content-manager'] : []),
  ...(audience !== undefined && !forPeople && !isPublic ? ['--audience needs --for-people'] : []),
  ...(audience === undefined || isAudience(audience) ? [] : ['--audience must be 1 to 255 characters']),
]

/** Returns the client that options describe, or one line that names everything wrong with them. */
export const readClientOptions = (options: ClientOptions): E.Either<string, Client> => {
  const [scopes, roles] = [words(options.scope), words(options.role)]
  const id = decode(ClientId)(options.id)
  const email = options.email === undefined ? E.right(undefined) : decode(Email)(options.email)
  const name = options.name ?? options.id ?? ''
  const errors = [
    ...(E.isLeft(id) ? [`--id ${id.left.errors[0].message}`] : []),
    ...scopeErrors(scopes, roles),
    ...unknownErrors('--role', roles, ROLES),
    ...(E.isLeft(email) ? [`--email ${email.left.errors[0].message}`] : []),
    ...peopleErrors(options, scopes, roles),
    ...(isClientName(name) ? [] : ['--name must have at most 200 characters']),
  ]
  if (E.isLeft(id) || E.isLeft(email) || errors.length > 0) return E.left(errors.join('; '))
  return E.right({
    id: id.right,
    name,
    scopes: scopes.filter(isScope),
    roles: roles.filter(isRole),
    email: O.fromNullable(email.right),
    disabled: false,
    ...((options.forPeople || options.public) && {
      forPeople: { isPublic: options.public === true, audience: O.fromNullable(options.audience) },
    }),
  })
}

/** Returns in a word or two how a client obtains tokens for people; empty if it does not (A10). */
export const peopleText = ({ forPeople }: Client): string => {
  if (forPeople === undefined) return ''
  const kind = forPeople.isPublic ? 'public' : 'yes'
  return O.isNone(forPeople.audience) ? kind : `${kind} ${forPeople.audience.value}`
}
