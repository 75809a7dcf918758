import type { Route } from '../route.ts'
import { FEED_ROUTES } from './feed.ts'
import { HISTORY_ROUTES } from './history.ts'
import { LABEL_ROUTES } from './labels.ts'
import { LIBRARY_ROUTES } from './library.ts'
import { NOTIFICATION_ROUTES } from './notifications.ts'
import { ORGANIZATION_ROUTES } from './organization-details.ts'
import { PEOPLE_ROUTES } from './people.ts'
import { PERSONAL_DATA_ROUTES } from './personal-data.ts'
import { PORTFOLIO_ROUTES } from './portfolio.ts'
import { TRANSLATION_ROUTES } from './translations.ts'

/** Every route of the API. Routes outside this list are not served. */
export const API_ROUTES: ReadonlyArray<Route> = [
  ...LIBRARY_ROUTES,
  ...TRANSLATION_ROUTES,
  ...FEED_ROUTES,
  ...HISTORY_ROUTES,
  ...LABEL_ROUTES,
  ...PEOPLE_ROUTES,
  ...PERSONAL_DATA_ROUTES,
  ...NOTIFICATION_ROUTES,
  ...PORTFOLIO_ROUTES,
  ...ORGANIZATION_ROUTES,
]
