// A process that reviews with the ledger on, as tools/bench/push-review.ts has it. Usage: node tools/bench/push/reviewer.ts DATABASE WINDOW
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import * as O from 'fp-ts/lib/Option.js'
import { nodeRandom, nodeTimer, systemClock, uuidIds } from '../../../packages/adapters-node/src/index.ts'
import { done } from '../../../packages/domain/contracts/index.ts'
import {
  DEFAULT_POLICY,
  type Language,
  type MessageText,
  makeReview,
  mediaAddressesBelow,
} from '../../../packages/domain/src/index.ts'
import { openStore } from '../store.ts'
import type { Flooded } from './flood.ts'
import { openGateway } from './gateway.ts'
import { MESSAGE } from './pushes.ts'

const [file = '', window = ''] = process.argv.slice(2)
const [[place]] = await once(process, 'message')
const { engine, ...store } = await openStore(file)
const gateway = openGateway(place)
const review = makeReview(
  {
    ...store,
    clock: systemClock,
    random: nodeRandom,
    timer: nodeTimer,
    mediaAddresses: mediaAddressesBelow('http://127.0.0.1'),
    pushGateway: gateway,
  },
  DEFAULT_POLICY,
)

/** A notification to all readers of a language, from its being due to the last line of its ledger. */
const deliver = async (lang: Language): Promise<Omit<Flooded, 'memory'>> => {
  await done(
    store.notifications.add({
      id: uuidIds().nextNotificationId(),
      lang,
      title: MESSAGE.title as MessageText,
      subtitle: O.some(MESSAGE.subtitle as MessageText),
      description: O.some(MESSAGE.body as MessageText),
      date: O.some(systemClock.now()),
      resourceId: O.none,
    }),
  )
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  const { tally } = await done(review({ window: Number(window), isStopping: () => false }))
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const { delivered } = tally
  if (delivered === 0 || tally.failed > 0) throw new Error(JSON.stringify(tally))
  return { perSecond: delivered / seconds, cpuPerPush: (user + system) / delivered }
}

// One reader in three reads French: enough to make connections and compile code before the other two are measured.
await deliver('fr')
process.send?.(await deliver('en'))
await gateway.close()
await engine.close()
process.disconnect?.()
