import { LinkTranslation, UnlinkTranslation } from '@almoner/domain/content'
import * as O from 'fp-ts/lib/Option.js'
import { json } from '../responses/route-response.ts'
import { call, type Route, routeOf } from '../route.ts'
import { encodeTranslation, TranslationJson } from '../serializers/items.ts'

const route = routeOf('Library')

const PATH = '/library/:itemId/translation'

/** Links between library items in the two languages (J7). */
export const TRANSLATION_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'PUT',
    path: PATH,
    name: 'linkTranslation',
    summary:
      'Link a library item to its counterpart in the other language, in place of earlier links of both.',
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
