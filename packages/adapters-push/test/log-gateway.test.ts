import * as contracts from '@almoner/testkit/contracts'
import t from 'tap'
import { logGateway, type PushLine } from '../src/index.ts'

/** A gateway with the lines that it has written. */
const listening = () => {
  const lines: Array<PushLine> = []
  return { gateway: logGateway((line) => lines.push(line)), lines }
}

const broken = logGateway(() => {
  throw new Error('the disk is full')
})

const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({
      same: (actual, expected, message = 'is the same') => t.strictSame(actual, expected, message),
      ok: (value, message = 'holds') => t.ok(value, message),
    }),
  )
}

contracts.pushGatewayContract(runner, async (provider) => ({
  pushGateway: provider === 'there' ? listening().gateway : broken,
  close: async () => {},
}))

t.test('a push is delivered when its line is in the log, and retried if it cannot be written', async (t) => {
  const { gateway, lines } = listening()
  const push = contracts.samplePush(1)
  t.strictSame(await gateway.send(push)(), { _tag: 'Delivered' })
  t.strictSame(lines, [
    {
      notificationId: push.notificationId,
      deviceId: push.deviceId,
      provider: push.destination.provider,
      title: push.message.title,
    },
  ])
  t.match(await broken.send(push)(), { _tag: 'Retry' })
})

t.test(
  'no token, key or endpoint of any kind of device is logged, and no text except the title',
  async (t) => {
    const { gateway, lines } = listening()
    const secret = 'a-secret'
    const keys = { p256dh: `${secret}-key`, auth: `${secret}-auth` }
    const { message } = contracts.samplePush(1)
    const text = { subtitle: `${secret} subtitle`, body: `${secret} body` }
    const destinations = [
      { provider: 'fcm', form: 'fid', token: secret },
      { provider: 'apns', sandbox: true, token: secret },
      { provider: 'webpush', subscription: { endpoint: `https://push.example.org/${secret}`, keys } },
    ] as const
    for (const destination of destinations)
      await gateway.send(contracts.samplePush(1, { destination, message: { ...message, ...text } }))()
    t.strictSame(
      lines.map(({ provider }) => provider),
      ['fcm', 'apns', 'webpush'],
    )
    t.notOk(JSON.stringify(lines).includes(secret))
  },
)

t.test('sending many pushes does not block the process', async (t) => {
  const { gateway, lines } = listening()
  let others = 0
  const other = () => {
    others += 1
    if (lines.length < 100) setImmediate(other)
  }
  setImmediate(other)
  for (let n = 0; n < 100; n += 1) await gateway.send(contracts.samplePush(n))()
  t.ok(others >= 50)
})

t.test('G6: a message counts as the UTF-8 of its JSON', async (t) => {
  const { message } = contracts.samplePush(1)
  t.equal(logGateway(() => {}).bytesOf(message), new TextEncoder().encode(JSON.stringify(message)).length)
})
