import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { type MediaName, stored } from '../media/model.ts'
import { type Condition, type FieldError, parameters } from '../values/parameters.ts'
import { type Refined, refined } from '../values/refined.ts'
import {
  CONTENT_CONDITIONS,
  FEED_RULES,
  type FeedContent,
  LIBRARY_IMAGES,
  LIBRARY_RULES,
  type LibraryImage,
  type MaybeImages,
} from './model.ts'
import { CreateFeedItem, CreateLibraryItem } from './writing.ts'

const namesIn = (text: string): ReadonlyArray<string> => text.split(',')

/** Returns the codec of the images that a new item will have, as a list with commas. */
const chosenImages = (known: ReadonlyArray<string>): Refined<string> =>
  refined(
    'ChosenImages',
    (text) =>
      namesIn(text).every((name) => known.includes(name))
        ? E.right(text)
        : E.left(`must be a list with commas of: ${known.join(', ')}`),
    {
      type: 'string',
      description: `Images that the new item will have, separated by commas: ${known.join(', ')}.`,
    },
  )

/** Returns the rules of Live items as conditions of the parameters that describe one, so that all faults are named at once. */
const liveConditions = <A>(
  rules: ReadonlyArray<(content: A) => O.Option<FieldError>>,
  nothing: A,
  contentOf: (present: Readonly<Record<string, string>>) => A,
): ReadonlyArray<Condition> =>
  rules.flatMap((rule) => {
    const fault = rule(nothing)
    if (O.isNone(fault)) return []
    return [{ ...fault.value, unmet: (present) => O.isSome(rule(contentOf(present))) }]
  })

const CHOSEN = 'chosen' as MediaName

const NO_IMAGES: MaybeImages = { cover: O.none, notification: O.none }

/** Parameters of POST /library/check: a new item, and the images that it will have. */
export const CheckLibraryItem = parameters({
  name: 'CheckLibraryItem',
  required: CreateLibraryItem.shape.required,
  optional: { ...CreateLibraryItem.shape.optional, images: chosenImages(LIBRARY_IMAGES) },
  conditions: liveConditions(LIBRARY_RULES, NO_IMAGES, ({ images = '' }) => {
    const chosen = (which: LibraryImage) =>
      namesIn(images).includes(which) ? O.some(stored(CHOSEN)) : O.none
    return { cover: chosen('cover'), notification: chosen('notification') }
  }),
})
export type CheckLibraryItem = typeof CheckLibraryItem._A

const NO_CONTENT: FeedContent = { kind: 'photo', link: O.none, vlink: O.none, image: O.none }

/** Parameters of POST /feed/check: a new post, and whether it will have an image. */
export const CheckFeedItem = parameters({
  name: 'CheckFeedItem',
  required: CreateFeedItem.shape.required,
  optional: { ...CreateFeedItem.shape.optional, images: chosenImages(['image']) },
  conditions: [
    ...CONTENT_CONDITIONS,
    ...liveConditions(
      FEED_RULES,
      NO_CONTENT,
      ({ itemType, link, images }) =>
        ({
          kind: itemType,
          link: O.fromNullable(link),
          vlink: O.none,
          image: images === 'image' ? O.some(CHOSEN) : O.none,
        }) as FeedContent,
    ),
  ],
})
export type CheckFeedItem = typeof CheckFeedItem._A

/** Makes a use case that accepts what its parameters have let through. */
const makeCheck =
  <Parameters>(requirement: 'updateLibraryItem' | 'updateFeedItem') =>
  (caller: Caller, _parameters: Parameters): TE.TaskEither<InsufficientScope, void> =>
    permitted(requirement, caller)((): TE.TaskEither<InsufficientScope, void> => TE.right(undefined))

/** Accepts a new library item that could be Live; its parameters name everything that is missing at once (C6). Stores nothing. */
export const makeCheckLibraryItem = (): ((
  caller: Caller,
  parameters: CheckLibraryItem,
) => TE.TaskEither<InsufficientScope, void>) => makeCheck('updateLibraryItem')

/** Accepts a new post that could be Live, as {@link makeCheckLibraryItem} does (C7). */
export const makeCheckFeedItem = (): ((
  caller: Caller,
  parameters: CheckFeedItem,
) => TE.TaskEither<InsufficientScope, void>) => makeCheck('updateFeedItem')
