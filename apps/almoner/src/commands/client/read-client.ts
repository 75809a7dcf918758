import {
  type Client,
  ClientId,
  decode,
  Email,
  isRole,
  isScope,
  isStorable,
  type Refined,
  ROLES,
  SCOPES,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Failure, misused } from '../../cli/failure.ts'

/** The options of `client add` as they were typed. */
export interface ClientOptions {
  readonly id?: string
  readonly scope?: ReadonlyArray<string>
  readonly role?: ReadonlyArray<string>
  readonly email?: string
  readonly name?: string
}

type Read<A> = E.Either<ReadonlyArray<string>, A>

const required =
  <A>(option: string, codec: Refined<A>) =>
  (text: string | undefined): Read<A> =>
    pipe(
      decode(codec)(text),
      E.mapLeft(({ faults: [first] }) => [`${option} ${first.message}`]),
    )

const optional =
  <A>(option: string, codec: Refined<A>) =>
  (text: string | undefined): Read<O.Option<A>> =>
    text === undefined ? E.right(O.none) : E.map(O.some<A>)(required(option, codec)(text))

const named =
  <A extends string>(option: string, known: ReadonlyArray<A>, isKnown: (name: string) => name is A) =>
  (names: ReadonlyArray<string>): Read<ReadonlyArray<A>> => {
    const unknown = names.filter((name) => !isKnown(name))
    return unknown.length > 0
      ? E.left(unknown.map((name) => `${option} ${JSON.stringify(name)} is not one of ${known.join(', ')}`))
      : E.right([...new Set(names.filter(isKnown))])
  }

/** Several values may stand in one option, with spaces between them as in OAuth, or in one option each. */
const words = (texts: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  texts.flatMap((text) => text.split(/\s+/)).filter((word) => word !== '')

/** A super-admin needs no scope: its role counts as one (A2). Whoever else has none could do nothing. */
const scopes = (given: ReadonlyArray<string>, roles: ReadonlyArray<string>) =>
  given.length === 0 && !roles.includes('super-admin')
    ? E.left(['--scope is required unless --role super-admin is given'])
    : named('--scope', SCOPES, isScope)(given)

const nameOf = ({ name, id }: ClientOptions): Read<string> => {
  const text = name ?? id ?? ''
  return isStorable(text) && text.length <= 200
    ? E.right(text)
    : E.left(['--name must have at most 200 characters'])
}

/** The client that the options describe, or one line that names everything wrong with them. */
export const readClient = (options: ClientOptions): E.Either<Failure, Client> => {
  const given = words(options.role)
  const id = required('--id', ClientId)(options.id)
  const scope = scopes(words(options.scope), given)
  const roles = named('--role', ROLES, isRole)(given)
  const email = optional('--email', Email)(options.email)
  const name = nameOf(options)
  if (E.isRight(id) && E.isRight(scope) && E.isRight(roles) && E.isRight(email) && E.isRight(name))
    return E.right({
      id: id.right,
      name: name.right,
      scopes: scope.right,
      roles: roles.right,
      email: email.right,
      disabled: false,
    })
  const faults = [id, scope, roles, email, name].flatMap((read) => (E.isLeft(read) ? read.left : []))
  return E.left(misused(faults.join('; ')))
}
