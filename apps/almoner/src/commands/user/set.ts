import { decode, Email, Language, type PreferenceChange, parameters, YesNo } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Work } from '../../cli/command.ts'
import { type Failure, misused, notAvailable } from '../../cli/failure.ts'
import { userDocument, userTable } from './document.ts'

/** The options of `user set` as they were typed. */
export interface UserOptions {
  readonly lang?: string
  readonly subscribed?: string
}

const Typed = parameters({
  name: 'UserOptions',
  required: { email: Email },
  optional: { lang: Language, subscribed: YesNo },
})

/** A user and what is to change of it. */
interface UserChange {
  readonly email: Email
  readonly change: PreferenceChange
}

/** How the command line calls what a fault is about. */
const NAMES: Readonly<Record<string, string>> = { email: 'EMAIL', lang: '--lang', subscribed: '--subscribed' }

/** The change that the arguments describe, or one line that names everything wrong with them. */
const readChange = (typed: string, options: UserOptions): E.Either<Failure, UserChange> => {
  const read = decode(Typed)({ ...options, email: typed })
  if (E.isLeft(read)) {
    const faults = read.left.faults.map(({ field, message }) => `${NAMES[field]} ${message}`)
    return E.left(misused(faults.join('; ')))
  }
  const { email, lang, subscribed } = read.right
  if (lang === undefined && subscribed === undefined)
    return E.left(misused('give --lang, --subscribed or both'))
  const change = { ...(lang && { lang }), ...(subscribed === undefined ? {} : { subscribed }) }
  return E.right({ email, change })
}

const set = ({ email, change }: UserChange): Work =>
  onDatabase(({ users }) =>
    pipe(
      users.prefer(email, change),
      TE.bimap(notAvailable('the database'), (user) => ({
        text: userTable([user]),
        json: userDocument(user),
      })),
    ),
  )

/** `user set EMAIL [--lang LANG] [--subscribed YES]`: changes a user, who is made if need be (F2); what is left out stays. */
export const setUser =
  (email: string, options: UserOptions): Work =>
  (settings) =>
    pipe(
      TE.fromEither(readChange(email, options)),
      TE.flatMap((change) => set(change)(settings)),
    )
