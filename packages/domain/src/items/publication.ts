import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type FieldError, type FieldErrors, fieldError } from '../values/parameters.ts'
import type { FeedContent, ShownContent } from './feed-item.ts'
import type { BothImages, MaybeImages } from './library-item.ts'

/** A demand that content must meet to be Live: the fault when it does not. */
type Rule<A> = (content: A) => O.Option<FieldError>

const hasCover: Rule<MaybeImages> = ({ cover }) =>
  O.isSome(cover)
    ? O.none
    : O.some(fieldError('coverImgUrl', 'is required to be Live: give it or upload a cover'))

const hasNotificationImage: Rule<MaybeImages> = ({ notification }) =>
  O.isSome(notification)
    ? O.none
    : O.some(
        fieldError('notificationImgUrl', 'is required to be Live: give it or upload a notification image'),
      )

/** What a library item needs to be Live (C6). */
export const LIBRARY_RULES: ReadonlyArray<Rule<MaybeImages>> = [hasCover, hasNotificationImage]

const photoShowsSomething: Rule<FeedContent> = (content) =>
  content.kind !== 'photo' || O.isSome(content.link) || O.isSome(content.image)
    ? O.none
    : O.some(fieldError('link', 'is required for a photo to be Live: give it or upload an image'))

/** What a feed item needs to be Live beyond what its type holds anyway (C7). */
export const FEED_RULES: ReadonlyArray<Rule<FeedContent>> = [photoShowsSomething]

const meeting =
  <A, B extends A>(rules: ReadonlyArray<Rule<A>>) =>
  (content: A): E.Either<FieldErrors, B> => {
    const [first, ...rest] = rules.flatMap((rule) => RA.fromOption(rule(content)))
    // The rules are what makes the narrower type true.
    return first === undefined ? E.right(content as B) : E.left([first, ...rest])
  }

/** The images of a Live library item, or every unmet rule at once (C6). */
export const publishableImages = meeting<MaybeImages, BothImages>(LIBRARY_RULES)

/** The content of a Live feed item, or every unmet rule at once (C7). */
export const publishableContent = meeting<FeedContent, ShownContent>(FEED_RULES)
