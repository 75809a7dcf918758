// A local push provider in a separate process, which counts pushes and answers at once. Started by compare.ts:
// node tools/bench/push/provider.ts fcm|apns|webpush
import {
  type ApnsKey,
  makeApnsKey,
  makeAuthority,
  openApns,
  openFcm,
  openWebPush,
  type ServiceAccount,
  type Subscription,
} from '../../../testing/push-providers/src/index.ts'

/** Where a provider listens, and the credentials that it accepts. */
export type ProviderPlace = { readonly origin: string; readonly ca: string } & (
  | { readonly kind: 'fcm'; readonly account: ServiceAccount }
  | { readonly kind: 'apns'; readonly key: ApnsKey; readonly topic: string }
  | { readonly kind: 'webpush'; readonly subscriptions: ReadonlyArray<Subscription> }
)

/** A provider's protocol. */
export type ProviderKind = ProviderPlace['kind']

/** The app's bundle id. */
const TOPIC = 'org.example.almoner'
/** Subscriptions that pushes alternate between. */
const BROWSERS = 100

const authority = await makeAuthority()
const common = { certificate: await authority.leaf(), counting: { latency: 0 } }
const { ca } = authority

const OPEN: Readonly<Record<ProviderKind, () => Promise<ProviderPlace>>> = {
  fcm: async () => {
    const { origin, account } = await openFcm(common)
    return { kind: 'fcm', ca, origin, account }
  },
  apns: async () => {
    const key = makeApnsKey()
    const { origin } = await openApns({ ...common, key, topic: TOPIC })
    return { kind: 'apns', ca, origin, key, topic: TOPIC }
  },
  webpush: async () => {
    const { origin, subscribe } = await openWebPush(common)
    return { kind: 'webpush', ca, origin, subscriptions: Array.from({ length: BROWSERS }, () => subscribe()) }
  },
}

const [kind = 'fcm'] = process.argv.slice(2)
process.once('message', async () => process.send?.(await OPEN[kind as ProviderKind]()))
process.once('disconnect', () => process.exit())
