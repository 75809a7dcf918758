import { changesBetween, type FieldChange, type Fields } from '../history/model.ts'
import type { Email } from '../values/addresses.ts'
import type { Language } from '../values/text.ts'

/** A person who can get notifications (F1). */
export interface User {
  readonly email: Email
  /** The language that the user reads. */
  readonly lang: Language
  /** Whether the user wants notifications. */
  readonly subscribed: boolean
}

/** The preferences of a user. Omitted fields stay. */
export type PreferenceChange = Partial<Pick<User, 'lang' | 'subscribed'>>

/** There is no such user (F2). */
export interface UserNotFound {
  readonly _tag: 'UserNotFound'
}

/** The one {@link UserNotFound}. */
export const USER_NOT_FOUND: UserNotFound = { _tag: 'UserNotFound' }

/** A user as the first attached device, or the first preference, makes it: subscribed, in English (F1). */
export const newUser = (email: Email): User => ({ email, lang: 'en', subscribed: true })

/** The user, new if need be, with a change made. */
export const withPreference = (user: User, { lang, subscribed }: PreferenceChange): User => ({
  email: user.email,
  lang: lang ?? user.lang,
  subscribed: subscribed ?? user.subscribed,
})

const preferenceFields = ({ lang, subscribed }: User): Fields => ({ lang, subscribed: String(subscribed) })

/** Returns what an act changed of a user's preference, without the address (K1); all of it if the user is new. */
export const preferenceChanges = (before: User | undefined, after: User): ReadonlyArray<FieldChange> =>
  changesBetween(before && preferenceFields(before), preferenceFields(after))
