import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import type { NoActingUser } from '../../people/acting-user.ts'
import type { User } from '../../people/user.ts'
import type { PeoplePorts } from '../../ports/of-people.ts'
import { PathSegment } from '../../values/addresses.ts'
import { parameters, type ValidationFailed } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { BooleanParameter } from '../../values/refined.ts'
import { Language } from '../../values/text.ts'
import { actingFor, forActingUser } from './one-user.ts'

/** Parameters of PUT /user/<email>/notification/preference. */
export const SetPreference = parameters({
  name: 'SetPreference',
  required: { email: PathSegment },
  optional: { lang: Language, subscribed: BooleanParameter },
})
export type SetPreference = typeof SetPreference._A

/** Changes a user's preference, and creates an unknown user. Omitted fields stay (F2). */
export const makeSetPreference =
  (ports: Pick<PeoplePorts, 'users' | 'clock'>) =>
  (
    caller: Caller,
    { email, lang, subscribed }: SetPreference,
  ): TE.TaskEither<InsufficientScope | ValidationFailed | NoActingUser | Unavailable, User> =>
    forActingUser(caller, email, (subject) =>
      ports.users.prefer(
        subject,
        {
          ...(lang === undefined ? {} : { lang }),
          ...(subscribed === undefined ? {} : { subscribed }),
        },
        { ...actingFor(caller, 'set-preference'), at: ports.clock.now() },
      ),
    )
