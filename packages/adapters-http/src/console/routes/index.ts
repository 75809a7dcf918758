import type { Route } from '../../route.ts'
import {
  CHECK_ROUTES,
  DELETION_ROUTES,
  ITEM_ROUTES,
  PLACING_ROUTES,
  PREVIEW_ROUTES,
  PUBLICATION_ROUTES,
} from './items.ts'
import { CLIENT_ROUTES, COPY_ROUTES, IDENTITY_ROUTES, MANAGER_ROUTES } from './managers.ts'
import { NOTIFICATION_ROUTES } from './notifications.ts'
import { DESK_ROUTES, OPERATION_ROUTES } from './operations.ts'
import { READER_ROUTES, USER_ROUTES } from './people.ts'
import { PORTFOLIO_LOAD_ROUTES } from './portfolio.ts'
import { PROPOSAL_ROUTES } from './proposals.ts'

/** The routes that only the console has, under `/console/api`. The API's routes are there too (M7). */
export const CONSOLE_ROUTES: ReadonlyArray<Route> = [
  ...DESK_ROUTES,
  ...CHECK_ROUTES,
  ...PUBLICATION_ROUTES,
  ...ITEM_ROUTES,
  ...DELETION_ROUTES,
  ...PLACING_ROUTES,
  ...PREVIEW_ROUTES,
  ...PROPOSAL_ROUTES,
  ...COPY_ROUTES,
  ...READER_ROUTES,
  ...USER_ROUTES,
  ...CLIENT_ROUTES,
  ...PORTFOLIO_LOAD_ROUTES,
  ...NOTIFICATION_ROUTES,
  ...MANAGER_ROUTES,
  ...IDENTITY_ROUTES,
  ...OPERATION_ROUTES,
]
