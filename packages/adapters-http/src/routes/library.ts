import {
  CreateLibraryItem,
  ListLibraryItems,
  NO_IMAGE,
  OneLibraryImage,
  UpdateLibraryItem,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { remember } from '../responses/memoize.ts'
import { EMPTY, json } from '../responses/route-response.ts'
import { type Route, route } from '../route.ts'
import { encodeLibraryItem, LibraryItemAnswer, libraryRelatedLink } from '../serializers/items.ts'
import type { Services } from '../services.ts'
import { answered } from './answered.ts'
import { itemAnswers, RelatedLinkAnswer } from './item-responses.ts'

const tag = 'Library'

/** Another word than these two makes an unknown path (B3). */
const IMAGE_PATH = '/library/:itemId/media/:image(^cover$|^notification$)'

/** Items as they are answered, for each server. */
const answers = remember((services: Services) => itemAnswers(encodeLibraryItem(services.addresses)))

/** The interface's table *Library*, but for its labels. */
export const LIBRARY_ROUTES: ReadonlyArray<Route> = [
  route({
    shared: true,
    method: 'GET',
    path: '/library/',
    name: 'listLibraryItems',
    summary: 'List library items, newest publication first.',
    tag,
    access: 'listLibraryItems',
    parameters: ListLibraryItems,
    answer: { kind: 'collection', key: 'items', codec: LibraryItemAnswer, paged: true },
    faults: [400],
    handle: (services) => (ask, asked) =>
      pipe(services.listLibraryItems(ask.caller, asked), TE.map(answers(services).many)),
  }),
  route({
    shared: true,
    method: 'GET',
    path: '/library/:itemId',
    name: 'getLibraryItem',
    summary:
      'Fetch one library item: a collection of one, or of none when it does not exist or may not be seen.',
    tag,
    access: 'listLibraryItems',
    parameters: ListLibraryItems,
    answer: { kind: 'collection', key: 'items', codec: LibraryItemAnswer, paged: false },
    tagged: true,
    faults: [400],
    handle: (services) => (ask, asked) =>
      pipe(services.listLibraryItems(ask.caller, asked), TE.flatMap(answers(services).atMostOne)),
  }),
  route({
    method: 'POST',
    path: '/library/',
    name: 'createLibraryItem',
    summary: 'Create a library item. It is a Draft.',
    tag,
    access: 'createLibraryItem',
    parameters: CreateLibraryItem,
    answer: { kind: 'collection', key: 'items', codec: LibraryItemAnswer, paged: false },
    tagged: true,
    faults: [400],
    handle: (services) => (ask, command) =>
      answered(ask, answers(services).fresh, (receipt) =>
        services.createLibraryItem(ask.caller, command, receipt),
      ),
  }),
  route({
    method: 'POST',
    path: '/library/:itemId',
    name: 'updateLibraryItem',
    summary: 'Update a library item, and move it between Draft, Live and Archived.',
    tag,
    access: 'updateLibraryItem',
    parameters: UpdateLibraryItem,
    answer: { kind: 'one', codec: LibraryItemAnswer },
    tagged: true,
    guarded: true,
    faults: [400, 404, 409, 412],
    handle: (services) => (ask, command) =>
      answered(ask, answers(services).one, (receipt) =>
        services.updateLibraryItem(ask.caller, command, ask.expected, receipt),
      ),
  }),
  route({
    method: 'POST',
    path: IMAGE_PATH,
    name: 'uploadLibraryImage',
    summary: 'Upload the cover or notification image: the first file part, JPEG or PNG.',
    tag,
    access: 'uploadLibraryImage',
    parameters: OneLibraryImage,
    upload: 'first',
    answer: { kind: 'empty' },
    guarded: true,
    faults: [400, 404, 412, 413, 415],
    handle:
      (services) =>
      ({ upload, ...ask }, which) =>
        upload === undefined
          ? TE.left(NO_IMAGE)
          : answered(
              ask,
              () => EMPTY,
              (receipt) => services.uploadLibraryImage(ask.caller, which, upload, ask.expected, receipt),
            ),
  }),
  route({
    method: 'DELETE',
    path: IMAGE_PATH,
    name: 'removeLibraryImage',
    summary: 'Remove the cover or notification image. Answers the itemRelatedLink that the item now has.',
    tag,
    access: 'removeLibraryImage',
    parameters: OneLibraryImage,
    answer: { kind: 'one', codec: RelatedLinkAnswer },
    guarded: true,
    faults: [404, 409, 412],
    handle: (services) => (ask, which) =>
      pipe(
        services.removeLibraryImage(ask.caller, which, ask.expected),
        TE.map((item) => json(libraryRelatedLink(services.addresses, item))),
      ),
  }),
]
