import type { ApnsKey, ServiceAccount, Subscription } from '../../../packages/loopback-providers/src/index.ts'

/** Where a provider listens, and what a gateway needs to be let in. */
export type ProviderPlace = { readonly origin: string; readonly ca: string } & (
  | { readonly kind: 'fcm'; readonly account: ServiceAccount }
  | { readonly kind: 'apns'; readonly key: ApnsKey }
  | { readonly kind: 'webpush'; readonly subscriptions: ReadonlyArray<Subscription> }
)

/** The providers that there are. */
export const KINDS = ['fcm', 'apns', 'webpush'] as const
/** One of them. */
export type ProviderKind = (typeof KINDS)[number]

/** The app's bundle id. */
export const TOPIC = 'org.example.almoner'
