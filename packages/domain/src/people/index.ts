/**
 * Users, their devices, preferences and own posts.
 * @module @almoner/domain/people
 */

export {
  BROWSER_PUSH_HOSTS,
  type DefaultProvider,
  type Destination,
  type DestinationOf,
  type Destinations,
  type DeviceCodec,
  type DeviceKind,
  DeviceToken,
  destinationOf,
  inProviderOrder,
  isProviderName,
  isPushHost,
  mayPushTo,
  PROVIDERS,
  type Provider,
  type PushHost,
  providersWith,
  readSubscription,
  recognise,
  reservedContactHost,
  type Subscription,
} from './destinations.ts'
export * from './devices.ts'
export * from './model.ts'
export * from './own-posts.ts'
export * from './preferences.ts'
