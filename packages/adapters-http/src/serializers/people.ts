import type { Device, User } from '@almoner/domain/people'
import * as t from 'io-ts'
import { LANG, under } from './codecs.ts'

/** A device token as callers see it: exactly as it was sent (F4, F5). */
export const TokenJson = under('token', { email: t.string, device_token: t.string })

/** A user's preference as callers see it, the email in lower case (F2). */
export const PreferenceJson = under('preference', {
  email: t.string,
  lang: LANG,
  subscribed: t.boolean,
})

export const encodeToken = ({ email, token }: Device): t.OutputOf<typeof TokenJson> => ({
  token: { email, device_token: token },
})

export const encodePreference = ({ email, lang, subscribed }: User): t.OutputOf<typeof PreferenceJson> => ({
  preference: { email, lang, subscribed },
})
