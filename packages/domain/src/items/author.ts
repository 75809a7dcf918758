import type * as O from 'fp-ts/lib/Option.js'
import type { Caller } from '../access/caller.ts'
import type { Email } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'

/** The author of a post, as recorded at its creation (L3). Later changes of the client do not change it. */
export interface Author {
  readonly clientId: ClientId
  /** The user that the client was bound to. */
  readonly email: O.Option<Email>
}

/** Returns the author of a post that a caller creates. */
export const authorOf = ({ clientId, email }: Caller): Author => ({ clientId, email })
