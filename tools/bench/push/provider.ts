// A push provider on loopback, in a process of its own, which counts what arrives. Started by tools/bench/push.ts and tools/bench/push-review.ts:
// node tools/bench/push/provider.ts fcm|apns|webpush LATENCY
import {
  makeApnsKey,
  makeAuthority,
  openApns,
  openFcm,
  openWebPush,
  type Subscription,
} from '../../../packages/loopback-providers/src/index.ts'
import { type ProviderKind, type ProviderPlace, TOPIC } from './place.ts'

/** Browsers that subscribe; pushes go round them. */
const BROWSERS = 100

const [kind = '', latency = '0'] = process.argv.slice(2)
const authority = await makeAuthority()
const common = { certificate: await authority.leaf(), counting: { latency: Number(latency) } }
const { ca } = authority

const OPEN: Readonly<Record<ProviderKind, () => Promise<ProviderPlace>>> = {
  fcm: async () => {
    const { origin, account } = await openFcm(common)
    return { kind: 'fcm', ca, origin, account }
  },
  apns: async () => {
    const key = makeApnsKey()
    const { origin } = await openApns({ ...common, key, topic: TOPIC })
    return { kind: 'apns', ca, origin, key }
  },
  webpush: async () => {
    const { origin, subscribe } = await openWebPush(common)
    const subscriptions: ReadonlyArray<Subscription> = Array.from({ length: BROWSERS }, () => subscribe())
    return { kind: 'webpush', ca, origin, subscriptions }
  },
}

process.send?.(await OPEN[kind as ProviderKind]())
process.once('disconnect', () => process.exit())
