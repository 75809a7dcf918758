import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { MediaName } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'
import { type ValidationFailed, validationFailed } from '../values/parameters.ts'
import type { ItemDescription, ItemTitle, Language } from '../values/text.ts'
import type { Instant } from '../values/time.ts'
import type { FeedContent, FeedItem, ShownContent } from './feed-item.ts'
import { type IllegalTransition, nextRevision, type Status, transition } from './item.ts'
import type { ImageNeeded, ImageNotFound } from './library-edits.ts'
import { publishableContent } from './publication.ts'

/** What a writer says of a post's content; the link that its type needs is always there (C7). */
export type SentContent =
  | { readonly kind: 'photo'; readonly link: O.Option<WebUrl>; readonly vlink: O.Option<WebUrl> }
  | { readonly kind: 'link'; readonly link: O.Some<WebUrl>; readonly vlink: O.Option<WebUrl> }
  | { readonly kind: 'vlink'; readonly link: O.Option<WebUrl>; readonly vlink: O.Some<WebUrl> }

/** An update of a feed item; undefined fields stay. */
export interface FeedEdit {
  readonly isDonorRestricted: boolean | undefined
  readonly lang: Language | undefined
  readonly title: ItemTitle
  readonly description: ItemDescription
  readonly content: SentContent
  readonly status: Status
}

/**
 * The content after an edit: a link that was not sent stays while the type does. Under another type it would mean something
 * else (a page is no photo), so it goes.
 */
export const editedContent = (held: FeedContent, sent: SentContent): FeedContent => {
  const { image } = held
  const keeps = held.kind === sent.kind
  const kept = (mine: O.Option<WebUrl>, theirs: O.Option<WebUrl>) =>
    O.isSome(mine) || !keeps ? mine : theirs
  const link = kept(sent.link, held.link)
  const vlink = kept(sent.vlink, held.vlink)
  switch (sent.kind) {
    case 'photo':
      return { kind: 'photo', link, vlink, image }
    case 'link':
      return { kind: 'link', link: sent.link, vlink, image }
    case 'vlink':
      return { kind: 'vlink', link, vlink: sent.vlink, image }
  }
}

const inState = (
  core: Omit<FeedItem, 'status' | 'content'>,
  content: FeedContent,
  status: Status,
): E.Either<ValidationFailed, FeedItem> =>
  status === 'Live'
    ? pipe(
        publishableContent(content),
        E.bimap(validationFailed, (shown): FeedItem => ({ ...core, status, content: shown })),
      )
    : E.right({ ...core, status, content })

/** How a post changes, or why it does not. */
export type FeedChange = (current: FeedItem) => E.Either<IllegalTransition | ValidationFailed, FeedItem>

/** Carries out the move of an edit (C5), then checks the conditions of the state entered (C7). */
const carryOut =
  (
    edit: Omit<FeedEdit, 'content'>,
    contentFrom: (held: FeedContent) => FeedContent,
    now: Instant,
  ): FeedChange =>
  (current) => {
    const { status: _, content: held, ...core } = nextRevision(current, now)
    const next = {
      ...core,
      isDonorRestricted: edit.isDonorRestricted ?? core.isDonorRestricted,
      lang: edit.lang ?? core.lang,
      title: edit.title,
      description: edit.description,
    }
    return pipe(
      transition(current.status, edit.status),
      E.flatMap(
        (status): E.Either<IllegalTransition | ValidationFailed, FeedItem> =>
          inState(next, contentFrom(held), status),
      ),
    )
  }

/** Carries out an update: the move (C5), then the conditions of the state entered (C7). */
export const editFeedItem = (edit: FeedEdit, now: Instant): FeedChange =>
  carryOut(edit, (held) => editedContent(held, edit.content), now)

/** Carries out an update that replaces the whole content, the uploaded image too (K2). */
export const restoreFeedItem = (edit: FeedEdit, image: O.Option<MediaName>, now: Instant): FeedChange =>
  carryOut(edit, () => ({ ...edit.content, image }), now)

const showing = (content: ShownContent, name: MediaName): ShownContent => {
  const image: O.Some<MediaName> = { _tag: 'Some', value: name }
  return content.kind === 'photo' ? { ...content, image } : { ...content, image }
}

/** The item with an uploaded image, in any state (D3). An image never makes a Live post's content less than shown. */
export const setFeedImage = (item: FeedItem, name: MediaName, now: Instant): FeedItem =>
  item.status === 'Live'
    ? { ...nextRevision(item, now), content: showing(item.content, name) }
    : { ...nextRevision(item, now), content: { ...item.content, image: O.some(name) } }

/** The item without its image, unless it must stay to be Live (C8) or is not there (D3). */
export const removeFeedImage = (
  item: FeedItem,
  now: Instant,
): E.Either<ImageNeeded | ImageNotFound, FeedItem> => {
  if (O.isNone(item.content.image)) return E.left({ _tag: 'ImageNotFound' })
  const { status, content, ...core } = nextRevision(item, now)
  return pipe(
    inState(core, { ...content, image: O.none }, status),
    E.mapLeft((): ImageNeeded => ({ _tag: 'ImageNeeded' })),
  )
}
