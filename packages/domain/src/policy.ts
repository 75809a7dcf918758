import * as O from 'fp-ts/lib/Option.js'
import type { ManagerPolicy } from './managers/ports.ts'
import { BROWSER_PUSH_HOSTS } from './people/destinations.ts'
import type { Colour } from './values/text.ts'
import { UTC } from './values/time.ts'

/** What a deployment may decide for itself. */
export type Policy = ManagerPolicy

/** What holds where a deployment decides nothing. */
export const DEFAULT_POLICY: Policy = {
  timeZone: UTC,
  embargo: false,
  tokenTtl: 3600,
  sessionIdle: 8 * 3600,
  sessionLife: 14 * 86_400,
  pushDefault: O.none,
  webPushHosts: BROWSER_PUSH_HOSTS,
  look: { iconUrl: O.none, color: '#1F4E79' as Colour },
  notificationLife: 86_400,
  deliveryDays: 90,
  notificationDays: O.none,
  historyDays: 730,
  joinedYears: { first: 2015, last: 2018 },
}
