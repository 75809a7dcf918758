import { ItemAndLabel, type Label, ListLabels, type Shelf } from '@almoner/domain'
import { EMPTY, json } from '../responses/route-response.ts'
import { call, type Route, routeOf, write } from '../route.ts'
import { encodeLabel, LabelJson, LabelsJson } from '../serializers/items.ts'

const titled = (shelf: Shelf): string => (shelf === 'library' ? 'Library' : 'Feed')

const listing = (shelf: Shelf, path: string, name: string, summary: string): Route =>
  routeOf(titled(shelf))({
    cacheable: true,
    method: 'GET',
    path,
    name,
    summary,
    access: 'listLabels',
    parameters: ListLabels,
    response: { kind: 'one', codec: LabelsJson },
    handle: (services) => call(services.listLabels(shelf), (labels) => json(labels.map(encodeLabel))),
  })

/** The label endpoints of a shelf: feed labels follow the same rules as library labels. */
const labelRoutes = (shelf: Shelf): ReadonlyArray<Route> => [
  listing(shelf, `/${shelf}/label`, `list${titled(shelf)}Labels`, 'List labels.'),
  listing(shelf, `/${shelf}/label/:labelId`, `get${titled(shelf)}Label`, 'Fetch one label.'),
  listing(shelf, `/${shelf}/:itemId/label`, `list${titled(shelf)}ItemLabels`, 'List the labels of an item.'),
  routeOf(titled(shelf))({
    method: 'POST',
    path: `/${shelf}/:itemId/label`,
    name: `attach${titled(shelf)}Label`,
    summary: 'Attach a label to an item.',
    access: 'attachLabel',
    parameters: ItemAndLabel,
    response: { kind: 'one', codec: LabelJson },
    faults: [404],
    handle: (services) =>
      write(
        ({ caller }, pair, receipt) => services.attachLabel(shelf)(caller, pair, receipt),
        (label: Label) => json(encodeLabel(label)),
      ),
  }),
  routeOf(titled(shelf))({
    method: 'DELETE',
    path: `/${shelf}/:itemId/label/:labelId`,
    name: `detach${titled(shelf)}Label`,
    summary: 'Detach a label from an item.',
    access: 'detachLabel',
    parameters: ItemAndLabel,
    response: { kind: 'empty' },
    faults: [404],
    handle: (services) => call(services.detachLabel(shelf), () => EMPTY),
  }),
]

export const LABEL_ROUTES: ReadonlyArray<Route> = [...labelRoutes('library'), ...labelRoutes('feed')]
