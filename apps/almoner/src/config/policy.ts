import type { Policy } from '@almoner/domain'
import type { Settings } from './definitions.ts'

/** What the settings decide of the domain's rules. */
export const policyOf = ({
  timeZone,
  embargo,
  tokenTtl,
  pushDefault,
  webPushHosts,
  notificationLife,
  deliveryDays,
  notificationDays,
  iconUrl,
  color,
  joinedYears,
}: Settings): Policy => ({
  timeZone,
  embargo,
  tokenTtl,
  pushDefault,
  webPushHosts,
  look: { iconUrl, color },
  notificationLife,
  deliveryDays,
  notificationDays,
  joinedYears,
})
