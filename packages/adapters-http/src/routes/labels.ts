import {
  ItemAndLabel,
  type Label,
  LinkTranslation,
  ListLabels,
  UnlinkTranslation,
} from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import * as O from 'fp-ts/lib/Option.js'
import { EMPTY, json } from '../responses/headers.ts'
import { call, namedItem, type Route, routeOf, write } from '../route.ts'
import {
  encodeLabel,
  encodeTranslation,
  LabelJson,
  LabelsJson,
  TranslationJson,
} from '../serializers/content.ts'

const titled = (contentType: ContentType): string => (contentType === 'library' ? 'Library' : 'Feed')

const listing = (contentType: ContentType, path: string, name: string, summary: string): Route =>
  routeOf(titled(contentType))({
    readsOf: ({ itemId }, query) =>
      itemId === undefined && query['itemId'] === undefined
        ? ['labels']
        : ['labels', namedItem(contentType, itemId)],
    hasETag: 'digest',
    method: 'GET',
    path,
    name,
    summary,
    access: 'listLabels',
    parameters: ListLabels,
    response: { kind: 'one', codec: LabelsJson },
    handle: (services) => call(services.labels[contentType].list, (labels) => json(labels.map(encodeLabel))),
  })

/** The label endpoints of a content type: feed labels follow the same rules as library labels. */
const labelRoutes = (contentType: ContentType): ReadonlyArray<Route> => [
  listing(contentType, `/${contentType}/label`, `list${titled(contentType)}Labels`, 'List labels.'),
  listing(
    contentType,
    `/${contentType}/label/:labelId`,
    `get${titled(contentType)}Label`,
    'Fetch one label.',
  ),
  listing(
    contentType,
    `/${contentType}/:itemId/label`,
    `list${titled(contentType)}ItemLabels`,
    'List the labels of an item.',
  ),
  routeOf(titled(contentType))({
    method: 'POST',
    path: `/${contentType}/:itemId/label`,
    name: `attach${titled(contentType)}Label`,
    summary: 'Attach a label to an item.',
    access: 'attachLabel',
    parameters: ItemAndLabel,
    response: { kind: 'one', codec: LabelJson },
    faults: [404],
    handle: (services) =>
      write(services.labels[contentType].attach, (label: Label) => json(encodeLabel(label))),
  }),
  routeOf(titled(contentType))({
    method: 'DELETE',
    path: `/${contentType}/:itemId/label/:labelId`,
    name: `detach${titled(contentType)}Label`,
    summary: 'Detach a label from an item.',
    access: 'detachLabel',
    parameters: ItemAndLabel,
    response: { kind: 'empty' },
    faults: [404],
    handle: (services) => call(services.labels[contentType].detach, () => EMPTY),
  }),
]

export const LABEL_ROUTES: ReadonlyArray<Route> = [...labelRoutes('library'), ...labelRoutes('feed')]

const route = routeOf('Library')

const PATH = '/library/:itemId/translation'

/** Links between library items in the two languages (J7). */
export const TRANSLATION_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'PUT',
    path: PATH,
    name: 'linkTranslation',
    summary:
      'Link a library item to its counterpart in the other language, in place of earlier links of both, or confirm that both say the same.',
    access: 'linkTranslation',
    parameters: LinkTranslation,
    response: { kind: 'one', codec: TranslationJson },
    faults: [404],
    handle: (services) =>
      call(services.library.linkTranslation, (counterpart) => json(encodeTranslation(O.some(counterpart)))),
  }),
  route({
    method: 'DELETE',
    path: PATH,
    name: 'unlinkTranslation',
    summary: 'Remove the link between a library item and its counterpart.',
    access: 'unlinkTranslation',
    parameters: UnlinkTranslation,
    response: { kind: 'one', codec: TranslationJson },
    faults: [404],
    handle: (services) => call(services.library.unlinkTranslation, () => json(encodeTranslation(O.none))),
  }),
]
