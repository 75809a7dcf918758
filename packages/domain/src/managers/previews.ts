import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
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
import { type ProposedChange, proposedKinds } from '../content/proposal-kinds.ts'
import { PROPOSAL_NOT_FOUND, type ProposalNotFound } from '../content/proposals.ts'
import { todayFor } from '../content/rules.ts'
import type { ContentType, Fields } from '../history/model.ts'
import { ItemId } from '../values/ids.ts'
import { decode, parameters } from '../values/parameters.ts'
import { isUnavailable, type Unavailable } from '../values/ports.ts'
import { oneOf, type TypedFields } from '../values/refined.ts'
import { addMillis, type Instant, MINUTE, SECOND } from '../values/time.ts'
import type { ManagerPolicy, ManagerPorts } from './ports.ts'
import {
  PREVIEW_BEGINNING,
  PREVIEWED_TEXTS,
  type PreviewedText,
  type PreviewToken,
  previewAddress,
} from './preview.ts'
import { NO_ACTIVE_SESSION, type NoSession } from './session.ts'
import { baseOfCopy, COPY_NOT_FOUND, type CopyKey, type CopyNotFound } from './working-copy.ts'

/** Milliseconds for which a preview token lives (A11). */
const LIFE = 15 * MINUTE

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
  copy: TypedFields,
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
  (ports: SavePorts, policy: SavePolicy, copy: TypedFields) =>
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
  (ports: SavePorts, copy: TypedFields) =>
  (item: FeedItem): E.Either<EditRefused, FeedItem> =>
    pipe(
      { ...savedFields(FEED_FIELDS, feedFields(item), copy), itemId: item.id, status: item.status },
      decode(UpdateFeedItem),
      E.flatMap(
        (command): E.Either<EditRefused, FeedItem> =>
          editFeedItem(feedEditOf(command), ports.clock.now())(item),
      ),
    )

type TextPorts = SavePorts & Pick<ManagerPorts, 'feedItems' | 'libraryItems' | 'proposals' | 'workingCopies'>
type NoText = EditRefused | CopyNotFound | ItemNotFound | ProposalNotFound | Unavailable

type Target = Pick<PreviewToken, 'contentType' | 'itemId' | 'text'>

type AnyItem = LibraryItem | FeedItem

/** Finds the working copy that a manager has of an item. */
const copyOf = (
  { workingCopies }: TextPorts,
  { contentType, itemId }: Target,
  email: Caller['email'],
): TE.TaskEither<CopyNotFound | Unavailable, TypedFields> =>
  pipe(
    O.isSome(email) ? workingCopies.find(email.value, itemId as string as CopyKey) : TE.right(O.none),
    TE.flatMap(
      (found): TE.TaskEither<CopyNotFound | Unavailable, TypedFields> =>
        O.isSome(found) && found.value.contentType === contentType
          ? TE.right(found.value.fields)
          : TE.left(COPY_NOT_FOUND),
    ),
  )

/** Returns the change that makes an item as a text has it. */
const changeFor = (
  ports: TextPorts,
  policy: SavePolicy,
  target: Target,
  email: Caller['email'],
): TE.TaskEither<NoText, ProposedChange<AnyItem>> => {
  const { contentType, itemId, text } = target
  switch (text) {
    case 'item':
      return TE.right(E.right)
    case 'copy':
      return pipe(
        copyOf(ports, target, email),
        TE.map(
          (copy) => (item: AnyItem) =>
            'content' in item ? feedWithCopy(ports, copy)(item) : libraryWithCopy(ports, policy, copy)(item),
        ),
      )
    case 'proposal':
      return pipe(
        ports.proposals.find(contentType, itemId),
        TE.flatMap(TE.fromOption((): NoText => PROPOSAL_NOT_FOUND)),
        TE.flatMapEither(
          (found): E.Either<NoText, ProposedChange<AnyItem>> =>
            proposedKinds(ports, policy)[contentType].proposed(found),
        ),
      )
  }
}

/** Reads a text of an item for its manager, as the item would look when Live. */
const readText = (
  ports: TextPorts,
  policy: SavePolicy,
  target: Target,
  email: Caller['email'],
): TE.TaskEither<NoText, PreviewedItem> => {
  const { contentType, itemId } = target
  const found: TE.TaskEither<Unavailable, O.Option<AnyItem>> = contentType === 'library'
    ? ports.libraryItems.find(itemId)
    : ports.feedItems.find(itemId)
  return pipe(
    changeFor(ports, policy, target, email),
    TE.flatMap(
      (change): TE.TaskEither<NoText, AnyItem> =>
        pipe(
          found,
          TE.flatMap(TE.fromOption((): NoText => ITEM_NOT_FOUND)),
          TE.flatMapEither((item): E.Either<NoText, AnyItem> => change(item)),
        ),
    ),
    TE.map((item) => ({ ...item, status: 'Live' as const })),
  )
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
      const token = `${PREVIEW_BEGINNING}${ports.secrets.mint()}`
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
 * Returns what a preview token shows of an item (A11). None while there is nothing to show: the item, the working copy or the proposal is gone, or
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
