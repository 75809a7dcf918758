// A process of the delivery campaign: reviews without end, and sends by posting to the counting gateway.
// Usage: node test/campaigns/review-worker.ts DATABASE GATEWAY NAME WINDOW
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { nodeRandom, nodeTimer, systemClock } from '../../packages/adapters-node/src/index.ts'
import { openSqlite } from '../../packages/adapters-sqlite/src/index.ts'
import {
  DEFAULT_POLICY,
  DELIVERED,
  makeReview,
  mediaAddressesBelow,
  type Push,
  type PushGateway,
  type PushResult,
  retry,
} from '../../packages/domain/src/index.ts'

const [file = '', gateway = '', name = '', size = '100'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })

const post = ({ notificationId, deviceId, message }: Push): Promise<PushResult> =>
  new Promise((resolve) => {
    const path = `/${name}/${notificationId}/${deviceId}/${message.data.lang}`
    const sent = request(gateway + path, { method: 'POST', agent }, (response) => {
      response.resume().once('end', () => resolve(DELIVERED))
    })
    sent.once('error', () => resolve(retry()))
    sent.end()
  })

const pushGateway: PushGateway = {
  bytesOf: (message) => Buffer.byteLength(JSON.stringify(message)),
  send: (push) => () => post(push),
}

const engine = await openSqlite({ file })()
if (E.isLeft(engine)) throw engine.left.cause
const ports = {
  ...makeStore(engine.right),
  clock: systemClock,
  random: nodeRandom,
  timer: nodeTimer,
  mediaAddresses: mediaAddressesBelow('http://127.0.0.1'),
  pushGateway,
}
const review = makeReview(ports, DEFAULT_POLICY)
for (;;) {
  const reviewed = await review({ window: Number(size), isStopping: () => false })()
  if (E.isLeft(reviewed)) process.stderr.write(`${name}: ${reviewed.left.cause}\n`)
  await pause(100)
}
