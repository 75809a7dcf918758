import { ItemAndLabel, type Label, ListLabels, type Shelf } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { EMPTY, json } from '../responses/route-response.ts'
import { type Route, route } from '../route.ts'
import { encodeLabel, LabelAnswer, LabelsAnswer } from '../serializers/labels.ts'
import { answered } from './answered.ts'

const titled = (shelf: Shelf): string => (shelf === 'library' ? 'Library' : 'Feed')

const listing = (shelf: Shelf, path: string, name: string, summary: string): Route =>
  route({
    shared: true,
    method: 'GET',
    path,
    name,
    summary,
    tag: titled(shelf),
    access: 'listLabels',
    parameters: ListLabels,
    answer: { kind: 'one', codec: LabelsAnswer },
    faults: [400],
    handle: (services) => (ask, asked) =>
      pipe(
        services.listLabels(shelf)(ask.caller, asked),
        TE.map((labels) => json(labels.map(encodeLabel))),
      ),
  })

/** The label endpoints of a shelf: feed labels follow the same rules as library labels. */
const labelRoutes = (shelf: Shelf): ReadonlyArray<Route> => [
  listing(shelf, `/${shelf}/label`, `list${titled(shelf)}Labels`, 'List labels.'),
  listing(shelf, `/${shelf}/label/:labelId`, `get${titled(shelf)}Label`, 'Fetch one label.'),
  listing(shelf, `/${shelf}/:itemId/label`, `list${titled(shelf)}ItemLabels`, 'List the labels of an item.'),
  route({
    method: 'POST',
    path: `/${shelf}/:itemId/label`,
    name: `attach${titled(shelf)}Label`,
    summary: 'Attach a label to an item.',
    tag: titled(shelf),
    access: 'attachLabel',
    parameters: ItemAndLabel,
    answer: { kind: 'one', codec: LabelAnswer },
    faults: [400, 404],
    handle: (services) => (ask, pair) =>
      answered(
        ask,
        (label: Label) => json(encodeLabel(label)),
        (receipt) => services.attachLabel(shelf)(ask.caller, pair, receipt),
      ),
  }),
  route({
    method: 'DELETE',
    path: `/${shelf}/:itemId/label/:labelId`,
    name: `detach${titled(shelf)}Label`,
    summary: 'Detach a label from an item.',
    tag: titled(shelf),
    access: 'detachLabel',
    parameters: ItemAndLabel,
    answer: { kind: 'empty' },
    faults: [404],
    handle: (services) => (ask, pair) =>
      pipe(
        services.detachLabel(shelf)(ask.caller, pair),
        TE.map(() => EMPTY),
      ),
  }),
]

export const LABEL_ROUTES: ReadonlyArray<Route> = [...labelRoutes('library'), ...labelRoutes('feed')]
