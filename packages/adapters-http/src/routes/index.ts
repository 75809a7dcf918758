import type { Scope } from '@almoner/domain'
import { MEDIA_PATH, PORTFOLIO_IMAGE_PATH } from '@almoner/domain/media'
import type { Method, Route } from '../route.ts'
import {
  DOCS_PATH,
  DOCUMENT_PATH,
  LIVE_PATH,
  METADATA_PATH,
  METRICS_PATH,
  READY_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
} from '../settings.ts'
import { CHANGES_ROUTES } from './changes.ts'
import { FEED_ROUTES, LIBRARY_ROUTES } from './content.ts'
import { HISTORY_ROUTES } from './history.ts'
import { LABEL_ROUTES, TRANSLATION_ROUTES } from './labels.ts'
import { NOTIFICATION_ROUTES } from './notifications.ts'
import { PEOPLE_ROUTES, PERSONAL_DATA_ROUTES } from './people.ts'
import { ORGANIZATION_ROUTES, PORTFOLIO_ROUTES } from './portfolio.ts'

/** Every route of the API. Routes outside this list are not served. */
export const API_ROUTES: ReadonlyArray<Route> = [
  ...LIBRARY_ROUTES,
  ...TRANSLATION_ROUTES,
  ...FEED_ROUTES,
  ...HISTORY_ROUTES,
  ...LABEL_ROUTES,
  ...CHANGES_ROUTES,
  ...PEOPLE_ROUTES,
  ...PERSONAL_DATA_ROUTES,
  ...NOTIFICATION_ROUTES,
  ...PORTFOLIO_ROUTES,
  ...ORGANIZATION_ROUTES,
]

/** One line of the list of routes. */
export interface ListedRoute {
  readonly method: Method
  /** As Fastify writes it. */
  readonly path: string
  /** The scope that a token needs, `client` for client credentials, or `none`. */
  readonly access: Scope | 'client' | 'none'
  readonly summary: string
}

const open = (path: string, summary: string): ListedRoute => ({
  method: 'GET',
  path,
  access: 'none',
  summary,
})

const OTHER_ROUTES: ReadonlyArray<ListedRoute> = [
  { method: 'POST', path: TOKEN_PATH, access: 'client', summary: 'Obtain an access token.' },
  { method: 'POST', path: REVOKE_PATH, access: 'client', summary: 'Revoke an access token.' },
  open(METADATA_PATH, 'Fetch the metadata for OAuth clients.'),
  open(`${MEDIA_PATH}*`, 'Stored images.'),
  open(`${PORTFOLIO_IMAGE_PATH}*`, 'Images of the portfolio.'),
  open(DOCUMENT_PATH, 'The OpenAPI document.'),
  open(DOCS_PATH, 'The page that shows it.'),
  open(LIVE_PATH, 'Check whether the process runs.'),
  open(READY_PATH, 'Whether it can do its work.'),
  open(METRICS_PATH, 'Figures for Prometheus.'),
]

/** Every route that a server has; HEAD goes with GET, and every path answers OPTIONS. */
export const ROUTE_LIST: ReadonlyArray<ListedRoute> = [
  ...API_ROUTES.map(({ method, path, access, summary }) => ({ method, path, access: access.scope, summary })),
  ...OTHER_ROUTES,
]
