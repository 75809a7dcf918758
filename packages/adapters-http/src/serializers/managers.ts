import type { Policy } from '@almoner/domain'
import { DUTIES, DUTY_NAMES, effectiveScopes, SCOPES } from '@almoner/domain/access'
import { CONTENT_TYPES } from '@almoner/domain/history'
import {
  type ActiveSession,
  type CopySummary,
  copyImages,
  type Identity,
  type ListedManager,
  type Manager,
  type NewPreview,
  type OwnSession,
  type Passkey,
  type Person,
  type SignInLink,
  type StoredPassword,
  type WorkingCopy,
  writeFields,
} from '@almoner/domain/managers'
import type { MediaAddresses, MediaName } from '@almoner/domain/media'
import type { WaitingFeed } from '@almoner/domain/ports'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, orEmpty, TIME, TIME_OR_EMPTY, URL_TEXT, under } from './codecs.ts'

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
export const ListedManagerJson = under('manager', { ...MANAGER, hasPassword: t.boolean }, 'ListedManager')

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
export const LinkJson = under(
  'link',
  {
    email: t.string,
    name: t.string,
    token: t.string,
    expiresAt: t.string,
  },
  'SignInLink',
)

/** Whom a sign-in link is for, and the name of another person who is signed in in this browser, `""` if there is none. */
export const ShownLinkJson = under(
  'link',
  { email: t.string, name: t.string, signedInAs: t.string },
  'ShownLink',
)

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

/** A passkey as its manager sees it; `lastUsedAt` is `""` before the first use (M3). */
export const PasskeyJson = under('passkey', {
  id: t.string,
  name: t.string,
  createdAt: t.string,
  lastUsedAt: t.string,
})

/** Writes a passkey. */
export const encodePasskey = ({
  id,
  name,
  createdAt,
  lastUsedAt,
}: Passkey): t.OutputOf<typeof PasskeyJson> => ({
  passkey: {
    id,
    name,
    createdAt: toRfc3339(createdAt),
    lastUsedAt: orEmpty(O.map(toRfc3339)(lastUsedAt)),
  },
})

/** Options for the browser, as JSON text. */
export const OptionsJson = t.strict({ options: t.string }, 'PasskeyOptions')

/** A password as its manager sees it; times are `""` where there is none (M3). */
export const PasswordJson = under('password', {
  isSet: t.boolean,
  changedAt: t.string,
  lastUsedAt: t.string,
  recoveryCodesLeft: t.Int,
})

/** Writes whether there is a password, and what its manager sees of it. */
export const encodePassword = (found: O.Option<StoredPassword>): t.OutputOf<typeof PasswordJson> => {
  const time = (of: (password: StoredPassword) => O.Option<Parameters<typeof toRfc3339>[0]>) =>
    orEmpty(O.map(toRfc3339)(O.flatMap(of)(found)))
  return {
    password: {
      isSet: O.isSome(found),
      changedAt: time(({ changedAt }) => O.some(changedAt)),
      lastUsedAt: time(({ lastUsedAt }) => lastUsedAt),
      recoveryCodesLeft: int(O.isSome(found) ? found.value.recoveryCodes.length : 0),
    },
  }
}

/** A secret for an authenticator app, and the URI from which the app takes it. */
export const TotpSecretJson = t.strict({ secret: t.string, uri: t.string }, 'TotpSecret')

/** Recovery codes, which are shown once. */
export const RecoveryCodesJson = t.strict({ recoveryCodes: t.array(t.string) }, 'RecoveryCodes')

/** The account of the identity provider that signs a manager in, without its identifier there (M3). */
export const IdentityJson = under('identity', {
  email: t.string,
  issuer: t.string,
  linkedAt: t.string,
  lastUsedAt: t.string,
})

/** Writes an account of the identity provider. */
export const encodeIdentity = ({
  email,
  issuer,
  linkedAt,
  lastUsedAt,
}: Identity): t.OutputOf<typeof IdentityJson> => ({
  identity: { email, issuer, linkedAt: toRfc3339(linkedAt), lastUsedAt: toRfc3339(lastUsedAt) },
})

/** A session as its manager sees it: the scopes of the duty, the time zone of the pages, and that of the service (M4, B8). */
export const SessionJson = under('session', {
  manager: t.strict({
    email: t.string,
    name: t.string,
    language: LANG,
    duty: literals(DUTY_NAMES),
    timeZone: t.string,
  }),
  scopes: t.array(literals(SCOPES)),
  idleEndsAt: t.string,
  endsAt: t.string,
  confirmedAt: t.string,
  timeZone: t.string,
  serviceTimeZone: t.string,
  /** Whether Live publications wait for their date (C9). */
  embargo: t.boolean,
  /** Whether the app shows items before readers see them (A11). */
  previews: t.boolean,
})

/** Writes a session. */
export const encodeSession = (
  { session, manager }: Pick<ActiveSession, 'session' | 'manager'>,
  { timeZone, embargo, previewUrl }: Pick<Policy, 'embargo' | 'previewUrl' | 'timeZone'>,
): t.OutputOf<typeof SessionJson> => {
  const { email, name, lang, duty, timeZone: own } = manager
  const { scopes, roles } = DUTIES[duty]
  return {
    session: {
      manager: { email, name, language: lang, duty, timeZone: own ?? '' },
      scopes: [...effectiveScopes(scopes, roles)],
      idleEndsAt: toRfc3339(session.idleEndsAt),
      endsAt: toRfc3339(session.endsAt),
      confirmedAt: toRfc3339(session.confirmedAt),
      timeZone: own ?? timeZone,
      serviceTimeZone: timeZone,
      embargo,
      previews: O.isSome(previewUrl),
    },
  }
}

/** One of a manager's sessions, without anything that could continue it (M4). */
export const OneSessionJson = under(
  'session',
  {
    openedAt: t.string,
    lastSeenAt: t.string,
    endsAt: t.string,
    browser: t.string,
    isCurrent: t.boolean,
  },
  'OwnSession',
)

/** Writes one of a manager's sessions. */
export const encodeOneSession = ({ session, isCurrent }: OwnSession): t.OutputOf<typeof OneSessionJson> => ({
  session: {
    openedAt: toRfc3339(session.openedAt),
    lastSeenAt: toRfc3339(session.lastSeenAt),
    endsAt: toRfc3339(session.endsAt),
    browser: session.browser,
    isCurrent,
  },
})

/** How many sessions were ended (M4). */
export const EndedJson = t.strict({ ended: t.Int }, 'Ended')

const COMMON = { key: t.string, contentType: literals(CONTENT_TYPES), updatedAt: t.string }

/** A working copy in a list; `baseRevision` is null where the copy began from no item (M7). */
export const CopySummaryJson = under(
  'copy',
  {
    ...COMMON,
    baseRevision: t.union([t.Int, t.null]),
    title: t.string,
  },
  'CopySummary',
)

/** A working copy with its fields, which are the JSON text of an object of texts, and the URLs of the images that they name (M7). */
export const CopyJson = under(
  'copy',
  { ...COMMON, baseETag: t.string, fields: t.string, images: t.record(t.string, URL_TEXT) },
  'WorkingCopy',
)

/** An image of a working copy: the file name, by which fields name it, and its URL. */
export const CopyImageJson = under('image', { name: t.string, url: URL_TEXT }, 'CopyImage')

/** Writes an image of a working copy. */
export const encodeCopyImage = (
  addresses: Pick<MediaAddresses, 'urlOf'>,
  name: MediaName,
): t.OutputOf<typeof CopyImageJson> => ({ image: { name, url: addresses.urlOf(name) } })

/** Writes a working copy of a list. */
export const encodeCopySummary =
  (revisionOf: (etag: string) => number | undefined) =>
  ({ key, contentType, baseETag, updatedAt, title }: CopySummary): t.OutputOf<typeof CopySummaryJson> => ({
    copy: {
      key,
      contentType,
      baseRevision: (revisionOf(baseETag) as t.Int | undefined) ?? null,
      updatedAt: toRfc3339(updatedAt),
      title,
    },
  })

/** Writes a working copy. */
export const encodeCopy = (
  addresses: Pick<MediaAddresses, 'urlOf'>,
  { key, contentType, baseETag, fields, updatedAt }: WorkingCopy,
): t.OutputOf<typeof CopyJson> => ({
  copy: {
    key,
    contentType,
    baseETag,
    fields: writeFields(fields),
    images: Object.fromEntries(copyImages(fields).map((name) => [name, addresses.urlOf(name)])),
    updatedAt: toRfc3339(updatedAt),
  },
})

/** A waiting feed as its manager sees it: when it was made, `""` without one (M14). */
export const WaitingFeedJson = under('waitingFeed', { madeAt: TIME_OR_EMPTY })

/** As {@link WaitingFeedJson}, with the address, which is shown this once. */
export const NewWaitingFeedJson = under('waitingFeed', { madeAt: TIME, url: URL_TEXT }, 'NewWaitingFeed')

/** Writes whether there is a waiting feed. */
export const encodeWaitingFeed = (found: O.Option<WaitingFeed>): t.OutputOf<typeof WaitingFeedJson> => ({
  waitingFeed: { madeAt: orEmpty(O.map(({ madeAt }: WaitingFeed) => toRfc3339(madeAt))(found)) },
})

/** Writes a waiting feed that has just been made. */
export const encodeNewWaitingFeed = (
  { madeAt }: WaitingFeed,
  url: string,
): t.OutputOf<typeof NewWaitingFeedJson> => ({ waitingFeed: { madeAt: toRfc3339(madeAt), url } })

/** The address of a preview in the app, and its end (A11). */
export const PreviewJson = under('preview', { url: t.string, expiresAt: TIME }, 'AppPreview')

/** Writes the address of a preview. */
export const encodePreview = ({ url, expiresAt }: NewPreview): t.OutputOf<typeof PreviewJson> => ({
  preview: { url, expiresAt: toRfc3339(expiresAt) },
})
