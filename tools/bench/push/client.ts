// Pushes to a provider in a separate process and reports the rate. Started by compare.ts:
// node tools/bench/push/client.ts byHand|curves|gateway PUSHES WINDOW, or review|reviewByHand DATABASE WINDOW
import { once } from 'node:events'
import { connect } from 'node:http2'
import { Worker } from 'node:worker_threads'
import { DEFAULT_POLICY } from '@almoner/domain'
import { makeReview } from '@almoner/domain/delivery'
import { mediaAddressesBelow } from '@almoner/domain/media'
import type { MessageText } from '@almoner/domain/notifications'
import type { Language } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { nodeRandom, nodeTimer, systemClock, uuidIds } from '../../../packages/adapters-node/src/index.ts'
import { threadsHere } from '../../../packages/adapters-push/src/webpush/encryptor.ts'
import { done } from '../../../packages/testkit/src/contracts/index.ts'
import type { Figures } from '../compare.ts'
import { openStore } from '../store.ts'
import { makeByHand, type Post } from './by-hand.ts'
import { openReviewByHand } from './by-hand-review.ts'
import { openGateway } from './gateway.ts'
import type { ProviderPlace } from './provider.ts'
import { DEVICES, MESSAGE, makePushes, tokenOf } from './pushes.ts'
import type { Recorded } from './recorded.ts'

/** The message that starts the process. */
export interface Start {
  readonly place: ProviderPlace
  /** A request of the gateway, whose fields the client by hand repeats. */
  readonly recorded: Recorded
}

const [role = '', amount = '', window = ''] = process.argv.slice(2)
const WINDOW = Number(window)
/** Concurrent streams of a connection, as Google's servers allow. */
const STREAMS = 100
/** Pushes before the measurement, to open connections and compile code. */
const WARM_UP = 3000

/** What a process sends back. */
export interface PushFigures extends Figures {
  readonly pushes: number
  /** When they began and ended, in microseconds of the monotonic clock. */
  readonly between: readonly [from: number, to: number]
}

const microseconds = (): number => Number(process.hrtime.bigint() / 1000n)

/** Measures work that resolves to a number of pushes. */
const timed = async (work: () => Promise<number>): Promise<PushFigures> => {
  const [from, cpu] = [microseconds(), process.cpuUsage()]
  const pushes = await work()
  const to = microseconds()
  const { user, system } = process.cpuUsage(cpu)
  const perSecond = (pushes / (to - from)) * 1e6
  return { perSecond, cpu: (user + system) / 1000 / pushes, pushes, between: [from, to] }
}

const sendMany = async (count: number, send: (n: number) => Promise<void>): Promise<number> => {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await send(next)
    }
  }
  await Promise.all(Array.from({ length: WINDOW }, worker))
  return count
}

const flood = async (send: (n: number) => Promise<void>): Promise<PushFigures> => {
  const count = Number(amount)
  await sendMany(Math.min(WARM_UP, count), send)
  return timed(() => sendMany(count, send))
}

const withPost = async (
  { place, recorded }: Start,
  work: (post: Post) => Promise<PushFigures>,
): Promise<PushFigures> => {
  const { origin, ca } = place
  const sessions = Array.from({ length: Math.ceil(WINDOW / STREAMS) }, () => connect(origin, { ca }))
  const figures = await work(makeByHand(place, recorded, sessions))
  for (const session of sessions) session.close()
  return figures
}

const byHand = (start: Start): Promise<PushFigures> => {
  const tokens = Array.from({ length: DEVICES }, (_, n) => tokenOf(start.place, n))
  return withPost(start, (post) => flood((n) => post(n, tokens[n % DEVICES] ?? '')))
}

const reviewByHand = (start: Start): Promise<PushFigures> =>
  withPost(start, async (post) => {
    const deliver = openReviewByHand(amount, post, WINDOW)
    await deliver('fr')
    return timed(() => deliver('en'))
  })

/** Computes on curves for some pushes, in as many threads as the gateway has. */
const curves = async (): Promise<PushFigures> => {
  const threads = Array.from(
    { length: Math.max(1, threadsHere()) },
    () => new Worker(new URL('curves.ts', import.meta.url)),
  )
  const compute = async (pushes: number): Promise<number> => {
    const share = Math.ceil(pushes / threads.length)
    for (const thread of threads) thread.postMessage(share)
    await Promise.all(threads.map((thread) => once(thread, 'message')))
    return share * threads.length
  }
  await compute(WARM_UP)
  const figures = await timed(() => compute(Number(amount)))
  await Promise.all(threads.map((thread) => thread.terminate()))
  return figures
}

const gateway = async ({ place }: Start): Promise<PushFigures> => {
  const pushTo = makePushes(place)
  const gateway = openGateway(place)
  const figures = await flood(async (n) => {
    const result = await gateway.send(pushTo(n))()
    if (result._tag !== 'Delivered') throw new Error(JSON.stringify(result))
  })
  await gateway.close()
  return figures
}

const review = async ({ place }: Start): Promise<PushFigures> => {
  const { engine, ...store } = await openStore(amount)
  const pushGateway = openGateway(place)
  const node = { clock: systemClock, random: nodeRandom, timer: nodeTimer, pushGateway }
  const ports = { ...store, ...node, mediaAddresses: mediaAddressesBelow('http://127.0.0.1') }
  /** Sends a notification to all readers of a language, up to the last entry of its ledger. */
  const deliver = async (lang: Language): Promise<number> => {
    await done(
      store.notifications.add({
        id: uuidIds().nextNotificationId(),
        lang,
        title: MESSAGE.title as MessageText,
        subtitle: O.some(MESSAGE.subtitle as MessageText),
        description: O.some(MESSAGE.body as MessageText),
        date: O.some(systemClock.now()),
        revision: 1,
        resourceId: O.none,
        labelId: O.none,
      }),
    )
    const options = { window: WINDOW }
    const { tally } = await done(makeReview(ports, DEFAULT_POLICY)(options))
    if (tally.delivered === 0 || tally.failed > 0) throw new Error(JSON.stringify(tally))
    return tally.delivered
  }
  // One reader in three reads French: enough to open connections and compile code.
  await deliver('fr')
  const figures = await timed(() => deliver('en'))
  await pushGateway.close()
  await engine.close()
  return figures
}

const ROLES: Readonly<Record<string, (start: Start) => Promise<PushFigures>>> = {
  byHand,
  curves,
  gateway,
  review,
  reviewByHand,
}
const [start] = await once(process, 'message')
process.send?.(await ROLES[role]?.(start))
process.once('disconnect', () => process.exit())
