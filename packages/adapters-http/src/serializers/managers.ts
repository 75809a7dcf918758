import { DUTY_NAMES } from '@almoner/domain/access'
import type { ListedManager, Manager, Person, SignInLink } from '@almoner/domain/managers'
import { toRfc3339 } from '@almoner/domain/values'
import * as t from 'io-ts'
import { int, LANG, literals, under } from './codecs.ts'

/** A manager by the number that the history uses (K1). */
export const PersonJson = under('person', { number: t.Int, name: t.string })

/** Writes a manager's number and name. */
export const encodePerson = ({ number, name }: Person): t.OutputOf<typeof PersonJson> => ({
  person: { number: int(number), name },
})

const MANAGER = {
  email: t.string,
  name: t.string,
  language: LANG,
  duty: literals(DUTY_NAMES),
  disabled: t.boolean,
}

/** A manager as operators see it (M2). */
export const ManagerJson = under('manager', MANAGER)

/** A manager in the list of operators. */
export const ListedManagerJson = under('manager', { ...MANAGER, hasPassword: t.boolean })

/** Writes a manager. */
export const encodeManager = ({
  email,
  name,
  lang,
  duty,
  disabled,
}: Manager): t.OutputOf<typeof ManagerJson> => ({
  manager: { email, name, language: lang, duty, disabled },
})

/** Writes a manager of the list. */
export const encodeListedManager = (manager: ListedManager): t.OutputOf<typeof ListedManagerJson> => ({
  manager: { ...encodeManager(manager).manager, hasPassword: manager.hasPassword },
})

/** A sign-in link: the page puts the token behind its own URL (M2). */
export const LinkJson = under('link', {
  email: t.string,
  name: t.string,
  token: t.string,
  expiresAt: t.string,
})

/** Whom a sign-in link is for, and the name of another person who is signed in in this browser, `""` if there is none. */
export const ShownLinkJson = under('link', { email: t.string, name: t.string, signedInAs: t.string })

/** Writes whom a sign-in link is for. `current` is the person who is signed in. */
export const encodeShownLink = (
  { email, name }: Manager,
  current: Manager | undefined,
): t.OutputOf<typeof ShownLinkJson> => ({
  link: { email, name, signedInAs: current === undefined || current.email === email ? '' : current.name },
})

/** Writes a sign-in link. */
export const encodeLink = ({ manager, secret, expiresAt }: SignInLink): t.OutputOf<typeof LinkJson> => ({
  link: { email: manager.email, name: manager.name, token: secret, expiresAt: toRfc3339(expiresAt) },
})
