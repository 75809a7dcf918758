import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted, type TokenDigest } from '../access/caller.ts'
import {
  type EditRefused,
  editFeedItem,
  editLibraryItem,
  feedEditOf,
  libraryEditOf,
  UpdateFeedItem,
  UpdateLibraryItem,
} from '../content/edits.ts'
import { FEED_FIELDS, type FieldSet, feedFields, LIBRARY_FIELDS, libraryFields } from '../content/fields.ts'
import {
  type FeedItem,
  ITEM_NOT_FOUND,
  type ItemCore,
  type ItemNotFound,
  type LibraryItem,
} from '../content/model.ts'
import { todayFor } from '../content/rules.ts'
import type { ContentType, Fields } from '../history/model.ts'
import { isParsable, parseUrl, WEB_URL_MAX } from '../values/addresses.ts'
import { ItemId } from '../values/ids.ts'
import { decode, parameters } from '../values/parameters.ts'
import { isUnavailable, type Unavailable } from '../values/ports.ts'
import { type Branded, oneOf, refined } from '../values/refined.ts'
import { addMillis, type Instant, MINUTE, SECOND } from '../values/time.ts'
import type { ManagerPolicy, ManagerPorts } from './ports.ts'
import { NO_ACTIVE_SESSION, type NoSession } from './session.ts'
import {
  baseOfCopy,
  COPY_NOT_FOUND,
  type CopyFields,
  type CopyKey,
  type CopyNotFound,
} from './working-copy.ts'

/** What every preview token begins with. No access token does: those are base64url, which has no full stop. */
const BEGINNING = 'preview.'

/** Returns whether a text looks like a preview token, so that others cost no lookup (A11). */
export const isPreviewToken = (text: string): boolean => text.startsWith(BEGINNING)

/** The texts of an item that a manager may look at in the app: as it is saved, or the manager's own working copy (A11). */
export const PREVIEWED_TEXTS = ['item', 'copy'] as const
/** One of {@link PREVIEWED_TEXTS}. */
export type PreviewedText = (typeof PREVIEWED_TEXTS)[number]

/** A preview token as it is stored: its digest, its session, and the one text that it shows (A11). */
export interface PreviewToken {
  readonly digest: TokenDigest
  readonly session: TokenDigest
  readonly contentType: ContentType
  readonly itemId: ItemId
  readonly text: PreviewedText
  readonly expiresAt: Instant
  /** Milliseconds from its issue to its end. */
  readonly life: number
}

/** Milliseconds for which a preview token lives (A11). */
const LIFE = 15 * MINUTE

/** The template of the app's address, by which managers look at an item in it. */
export type PreviewUrl = Branded<string, 'PreviewUrl'>

const PLACES = ['kind', 'id', 'token'] as const

type Places = Readonly<Record<(typeof PLACES)[number], string>>

/** Returns the address of a preview: the template with its places filled. */
export const previewAddress = (template: PreviewUrl, places: Places): string =>
  PLACES.reduce((text, name) => text.replaceAll(`{${name}}`, () => places[name]), template as string)

/** Schemes that browsers and systems open themselves: no app's. */
const TAKEN =
  /^(?:http|wss?|ftp|file|filesystem|blob|data|javascript|vbscript|about|mailto|tel|sms|view-source|chrome):/i

const EXAMPLE: Places = {
  kind: 'library',
  id: '01a20fe0-4e96-75a3-95a0-1dce6da740ae',
  token: `${BEGINNING}x`,
}

const faultOfTemplate = (text: string): string | undefined => {
  if (text.length > WEB_URL_MAX || !/^[a-z][a-z\d+.-]*:[\x21-\x7e]+$/i.test(text) || TAKEN.test(text))
    return "must be an https URL, or one of an app's own scheme"
  const found = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
  const isWhole = PLACES.every((name) => found.includes(name)) && found.length === PLACES.length
  const rest = text.replaceAll(/\{[^{}]*\}/g, '')
  if (!isWhole || /[{}]/.test(rest))
    return 'must hold {kind}, {id} and {token}, each once, and no other braces'
  if (!isParsable(previewAddress(text as PreviewUrl, EXAMPLE))) return 'must be a URL'
  if (!/^https:/i.test(text)) return undefined
  const { username, password } = parseUrl(previewAddress(text as PreviewUrl, EXAMPLE))
  if (username !== '' || password !== '') return 'must not hold a user name or password'
  if (!/^https:\/\/[^/?#{}\\]+[/?#]/i.test(text))
    return 'must have a whole host before {kind}, {id} and {token}'
  return text.includes('#') && text.indexOf('#') < text.indexOf('{token}')
    ? undefined
    : 'must have {token} after #: what stands before it reaches logs and other sites'
}

/**
 * Reads the template of previews: an https URL with `{token}` in its fragment, which browsers send to no server, or a URL of an app's own scheme
 * (A11).
 */
export const PreviewUrl = refined<PreviewUrl>(
  'PreviewUrl',
  (text) => {
    const fault = faultOfTemplate(text)
    return fault === undefined ? E.right(text as PreviewUrl) : E.left(fault)
  },
  { type: 'string', description: 'Address of a page of the app, with {kind}, {id} and {token}.' },
)

/** The service does not know where the app shows previews. */
export interface NoPreviewUrl {
  readonly _tag: 'NoPreviewUrl'
}

/** The token is unknown, has ended, or is for another item (A11). */
export interface NoPreview {
  readonly _tag: 'NoPreview'
}

const NO_PREVIEW: NoPreview = { _tag: 'NoPreview' }

/** An item as it would look when Live. Its images may be missing. */
export interface PreviewedItem extends ItemCore {
  readonly status: 'Live'
}

/** The parameters of an update that saves a working copy: what the manager has typed, over what is stored now. */
const savedFields = (
  fields: FieldSet,
  stored: Fields,
  copy: CopyFields,
): Readonly<Record<string, string>> => {
  const base = baseOfCopy(copy)
  const typed = Object.entries(fields).filter(
    ([, { codec, kind }]) => codec !== undefined && !['image', 'moment', 'note'].includes(kind),
  )
  const savedText = (name: string): string => {
    const mine = copy[name]
    return mine === undefined || mine === base[name] ? (stored[name] ?? '') : mine
  }
  return Object.fromEntries(typed.map(([name]) => [name, savedText(name)]))
}

type SavePorts = Pick<ManagerPorts, 'clock' | 'mediaAddresses'>
type SavePolicy = Pick<ManagerPolicy, 'timeZone'>

/** Returns a publication as saving a working copy would make it, or why it would not be saved (M7). */
const libraryWithCopy =
  (ports: SavePorts, policy: SavePolicy, copy: CopyFields) =>
  (item: LibraryItem): E.Either<EditRefused, LibraryItem> =>
    pipe(
      { ...savedFields(LIBRARY_FIELDS, libraryFields(item), copy), itemId: item.id, status: item.status },
      decode(UpdateLibraryItem),
      E.map((command) => libraryEditOf(ports.mediaAddresses, command)),
      E.flatMap(
        (edit): E.Either<EditRefused, LibraryItem> =>
          editLibraryItem(edit, ports.clock.now(), todayFor(policy, ports.clock))(item),
      ),
    )

/** Returns a post as saving a working copy would make it, or why it would not be saved (M7). */
const feedWithCopy =
  (ports: SavePorts, copy: CopyFields) =>
  (item: FeedItem): E.Either<EditRefused, FeedItem> =>
    pipe(
      { ...savedFields(FEED_FIELDS, feedFields(item), copy), itemId: item.id, status: item.status },
      decode(UpdateFeedItem),
      E.flatMap(
        (command): E.Either<EditRefused, FeedItem> =>
          editFeedItem(feedEditOf(command), ports.clock.now())(item),
      ),
    )

type TextPorts = SavePorts & Pick<ManagerPorts, 'feedItems' | 'libraryItems' | 'workingCopies'>
type NoText = EditRefused | CopyNotFound | ItemNotFound | Unavailable

type Target = Pick<PreviewToken, 'contentType' | 'itemId' | 'text'>

/** Reads a text of an item for its manager, as the item would look when Live. */
const readText = (
  ports: TextPorts,
  policy: SavePolicy,
  { contentType, itemId, text }: Target,
  email: Caller['email'],
): TE.TaskEither<NoText, PreviewedItem> => {
  const copied: TE.TaskEither<CopyNotFound | Unavailable, CopyFields | undefined> =
    text === 'item'
      ? TE.right(undefined)
      : pipe(
          O.isSome(email)
            ? ports.workingCopies.find(email.value, itemId as string as CopyKey)
            : TE.right(O.none),
          TE.flatMap(
            (found): TE.TaskEither<CopyNotFound | Unavailable, CopyFields> =>
              O.isSome(found) && found.value.contentType === contentType
                ? TE.right(found.value.fields)
                : TE.left(COPY_NOT_FOUND),
          ),
        )
  const found = <I extends ItemCore>(
    read: TE.TaskEither<Unavailable, O.Option<I>>,
    withCopy: (copy: CopyFields) => (item: I) => E.Either<EditRefused, I>,
  ): TE.TaskEither<NoText, PreviewedItem> =>
    pipe(
      copied,
      TE.flatMap(
        (copy): TE.TaskEither<NoText, PreviewedItem> =>
          pipe(
            read,
            TE.flatMap(TE.fromOption((): NoText => ITEM_NOT_FOUND)),
            TE.flatMapEither(
              (item): E.Either<NoText, I> => (copy === undefined ? E.right(item) : withCopy(copy)(item)),
            ),
            TE.map((item) => ({ ...item, status: 'Live' as const })),
          ),
      ),
    )
  return contentType === 'library'
    ? found(ports.libraryItems.find(itemId), (copy) => libraryWithCopy(ports, policy, copy))
    : found(ports.feedItems.find(itemId), (copy) => feedWithCopy(ports, copy))
}

/** Parameters of POST /library/<itemId>/preview and /feed/<itemId>/preview. */
export const MakePreview = parameters({
  name: 'MakePreview',
  required: { itemId: ItemId },
  optional: { text: oneOf<PreviewedText>('PreviewedText', PREVIEWED_TEXTS, 'The text that the app shows.') },
})
export type MakePreview = typeof MakePreview._A

/** The address of a preview, which is shown this once, and its end (A11). */
export interface NewPreview {
  readonly url: string
  readonly expiresAt: Instant
}

/**
 * Makes a use case that gives a manager an address in the app at which one text of one item is shown, for 15 minutes (A11). Fails as saving a
 * working copy would, if that cannot be saved as it is.
 */
export const makeMakePreview =
  (
    ports: TextPorts & Pick<ManagerPorts, 'previewTokens' | 'secrets'>,
    policy: SavePolicy & Pick<ManagerPolicy, 'previewUrl'>,
    contentType: ContentType,
  ) =>
  (
    caller: Caller,
    { itemId, text = 'item' }: MakePreview,
  ): TE.TaskEither<InsufficientScope | NoPreviewUrl | NoSession | NoText, NewPreview> =>
    permitted(
      'previewInApp',
      caller,
    )((): TE.TaskEither<NoPreviewUrl | NoSession | NoText, NewPreview> => {
      const { previewUrl } = policy
      const { session, email } = caller
      if (O.isNone(previewUrl)) return TE.left({ _tag: 'NoPreviewUrl' })
      if (session === undefined) return TE.left(NO_ACTIVE_SESSION)
      const token = `${BEGINNING}${ports.secrets.mint()}`
      const target = { contentType, itemId, text }
      const expiresAt = addMillis(ports.clock.now(), LIFE)
      const stored = { ...target, digest: ports.secrets.digest(token), session, expiresAt, life: LIFE }
      return pipe(
        readText(ports, policy, target, email),
        TE.flatMap((): TE.TaskEither<NoText, void> => ports.previewTokens.add(stored)),
        TE.map(() => ({
          url: previewAddress(previewUrl.value, { kind: contentType, id: itemId, token }),
          expiresAt,
        })),
      )
    })

/** The item that a request for a preview names. */
export type PreviewedThing = Pick<PreviewToken, 'contentType' | 'itemId'>

type ReadPorts = TextPorts & Pick<ManagerPorts, 'previewTokens' | 'secrets' | 'sessions'>

/** A preview token that counts, and the address of its manager. */
interface FoundPreview {
  readonly preview: PreviewToken
  readonly email: Caller['email']
}

/** Finds a token for this item whose session still counts. */
const findPreview = async (
  { clock, previewTokens, secrets, sessions }: ReadPorts,
  token: string,
  { contentType, itemId }: PreviewedThing,
): Promise<E.Either<NoPreview | Unavailable, FoundPreview>> => {
  const now = clock.now()
  const found = await previewTokens.find(secrets.digest(token), now)()
  if (E.isLeft(found)) return found
  const preview = O.toUndefined(found.right)
  if (preview?.contentType !== contentType || preview.itemId !== itemId) return E.left(NO_PREVIEW)
  const session = await sessions.find(preview.session, now)()
  if (E.isLeft(session)) return session
  return O.isNone(session.right)
    ? E.left(NO_PREVIEW)
    : E.right({ preview, email: O.some(session.right.value.manager.email) })
}

/** Milliseconds after which a token is looked up once more: ended rights must count within five seconds (A9). */
const LATE = 2 * SECOND

/**
 * Returns what a preview token shows of an item (A11). None while there is nothing to show: the item or the working copy is gone, or the copy
 * could not be saved as it is. Fails with NoPreview for a token that has ended, with its session, or is for another item.
 */
export const makeReadPreview =
  (ports: ReadPorts, policy: SavePolicy) =>
  (token: string, thing: PreviewedThing): TE.TaskEither<NoPreview | Unavailable, O.Option<PreviewedItem>> =>
  async () => {
    const begun = ports.clock.now()
    const found = await findPreview(ports, token, thing)
    if (E.isLeft(found)) return found
    const read = await readText(ports, policy, found.right.preview, found.right.email)()
    if (E.isLeft(read) && isUnavailable(read.left)) return E.left(read.left)
    const isLate = ports.clock.now() - begun > LATE
    const latest = isLate ? await findPreview(ports, token, thing) : found
    return E.map(() => O.fromEither(read))(latest)
  }
