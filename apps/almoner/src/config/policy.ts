import type { Policy } from '@almoner/domain'
import type { Settings } from './definitions.ts'

/** Returns the settings that the rules of the domain depend on. */
export const policyOf = (settings: Settings): Policy => ({
  timeZone: settings.timeZone,
  embargo: settings.embargo,
  tokenTtl: settings.tokenTtl,
  sessionIdle: settings.sessionIdle,
  sessionLife: settings.sessionLife,
  pushDefault: settings.pushDefault,
  webPushHosts: settings.webPushHosts,
  look: { iconUrl: settings.iconUrl, color: settings.color },
  notificationLife: settings.notificationLife,
  deliveryDays: settings.deliveryDays,
  notificationDays: settings.notificationDays,
  historyDays: settings.historyDays,
  joinedYears: settings.joinedYears,
})
