// A process that pushes, as tools/bench/push.ts has it. Usage: node tools/bench/push/client.ts bare|gateway|crypto-0|crypto-1|crypto-2 WINDOW MARK…
import { once } from 'node:events'
import { makeEncryptor } from '../../../packages/adapters-push/src/webpush/encryptor.ts'
import { plaintextOf } from '../../../packages/adapters-push/src/webpush/plaintext.ts'
import { openBare } from './bare.ts'
import { type Flooded, flood } from './flood.ts'
import { openGateway } from './gateway.ts'
import type { ProviderPlace } from './place.ts'
import { MESSAGE, makePushes } from './pushes.ts'
import type { Recorded } from './recorded.ts'

const [who = '', window = '', ...marks] = process.argv.slice(2)
const size = { window: Number(window), marks: marks.map(Number) }

const bare = async ({ origin, ca }: ProviderPlace, recorded: ReadonlyArray<Recorded>): Promise<Flooded> => {
  const client = openBare(origin, ca, size.window)
  const flooded = await flood(size, async (n) => {
    const request = recorded[n % recorded.length]
    const status = request === undefined ? 0 : await client.post(n, request)
    if (status < 200 || status >= 300) throw new Error(`the provider answered ${status}`)
  })
  client.close()
  return flooded
}

const gateway = async (place: ProviderPlace): Promise<Flooded> => {
  const pushTo = makePushes(place)
  const gateway = openGateway(place)
  const flooded = await flood(size, async (n) => {
    const result = await gateway.send(pushTo(n))()
    if (result._tag !== 'Delivered') throw new Error(JSON.stringify(result))
  })
  await gateway.close()
  return flooded
}

/** The cryptography of Web Push alone. */
const crypto = async (place: ProviderPlace, threads: number): Promise<Flooded> => {
  if (place.kind !== 'webpush') throw new TypeError('nothing is encrypted there')
  const encryptor = makeEncryptor(threads)
  const plaintext = plaintextOf(MESSAGE)
  const flooded = await flood(size, async (n) => {
    const { keys } = place.subscriptions[n % place.subscriptions.length] ?? {}
    if (keys === undefined || (await encryptor.encrypt({ keys, plaintext })) === undefined)
      throw new Error('a message was not encrypted')
  })
  await encryptor.close()
  return flooded
}

const run = (place: ProviderPlace, recorded: ReadonlyArray<Recorded>): Promise<Flooded> => {
  if (who === 'bare') return bare(place, recorded)
  return who === 'gateway' ? gateway(place) : crypto(place, Number(who.split('-')[1]))
}

const [[place, recorded]] = await once(process, 'message')
const flooded = await run(place, recorded)
process.send?.(flooded)
process.disconnect?.()
