import type { Policy } from '@almoner/domain'
import type { Settings } from './definitions.ts'

/** What the settings decide of the domain's rules. */
export const policyOf = ({
  timeZone,
  embargo,
  tokenTtl,
  sessionIdle,
  sessionLife,
  pushDefault,
  webPushHosts,
  notificationLife,
  deliveryDays,
  notificationDays,
  historyDays,
  iconUrl,
  color,
  joinedYears,
}: Settings): Policy => ({
  timeZone,
  embargo,
  tokenTtl,
  sessionIdle,
  sessionLife,
  pushDefault,
  webPushHosts,
  look: { iconUrl, color },
  notificationLife,
  deliveryDays,
  notificationDays,
  historyDays,
  joinedYears,
})
