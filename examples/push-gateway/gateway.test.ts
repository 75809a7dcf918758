import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type Check, type ContractRunner, pushGatewayContract, samplePush } from '@almoner/testkit/contracts'
import { relayGateway } from './gateway.ts'

/** The suites import no test runner: this gives them that of Node. */
const check: Check = {
  same: (actual, expected) => assert.deepEqual(actual, expected),
  ok: (value, why = 'should hold') => assert.ok(value, why),
}
const runner: ContractRunner = (name, body) => {
  test(name, () => body(check))
}

/** A relay on loopback, and a gateway to it. */
const open = async (listener: RequestListener) => {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await once(server.close(), 'close')
  }
  return { pushGateway: relayGateway({ url: `http://127.0.0.1:${port}/`, key: 'a key' }), close }
}

pushGatewayContract(runner, async (provider) => {
  const relay = await open((_, response) => response.writeHead(202).end())
  // A port without a listener.
  if (provider === 'gone') await relay.close()
  return relay
})

test('each response of the relay has the outcome of the table', async () => {
  const answers: Array<[number, string]> = [
    [202, 'Delivered'],
    [400, 'Refused'],
    [401, 'SenderError'],
    [404, 'Unregistered'],
    [503, 'Retry'],
  ]
  for (const [status, tag] of answers) {
    const relay = await open((_, response) => response.writeHead(status, { 'retry-after': '7' }).end())
    const result = await relay.pushGateway.send(samplePush(1))()
    assert.equal(result._tag, tag)
    if (result._tag === 'Retry') assert.deepEqual(result.after, { _tag: 'Some', value: 7000 })
    await relay.close()
  }
})
