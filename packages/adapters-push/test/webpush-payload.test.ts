import { instant } from '@almoner/domain/values'
import * as contracts from '@almoner/testkit/contracts'
import fc from 'fast-check'
import t from 'tap'
import { codePoint } from '../../domain/test/code-point.ts'
import { encryptAll } from '../src/webpush/encryption.ts'
import { bytesOf, headersOf, payloadOf, plaintextOf } from '../src/webpush/message.ts'
import { messageWith, pushTo, subscriptionAt } from './webpush.ts'

t.test('G6: absent values are left out of the notification, and empty in its data', async (t) => {
  const data = { actionUrl: '', visualUrl: '', iconUrl: '', resourceId: '' }
  const message = messageWith({ title: 'Wells', subtitle: '', body: '', data })
  const { notification } = payloadOf(message)
  t.strictSame(Object.keys(notification), ['title', 'lang', 'tag', 'data'])
  t.strictSame(notification.data, message.data)
  const bodyOf = (subtitle: string, body: string) =>
    JSON.parse(JSON.stringify(payloadOf(messageWith({ subtitle, body })))).notification.body
  t.strictSame(
    [bodyOf('under', ''), bodyOf('', 'text'), bodyOf('under', 'text')],
    ['under', 'text', 'under\ntext'],
  )
})

t.test('G6: the measured size is the length of the sent body', async (t) => {
  const { destination } = pushTo(subscriptionAt('https://push.example.org/1'))
  if (destination.provider !== 'webpush') throw new TypeError('no subscription')
  const text = fc.string({ unit: codePoint, maxLength: 400 })
  fc.assert(
    fc.property(text, text, (title, body) => {
      const message = messageWith({ title, body })
      const { keys } = destination.subscription
      const [encrypted] = encryptAll([{ keys, plaintext: plaintextOf(message) }])
      return encrypted?.length === bytesOf(message)
    }),
    { numRuns: 50 },
  )
  t.pass()
})

t.test('G5: the time to live is in whole seconds, from zero to four weeks', async (t) => {
  const ttl = (left: number) =>
    headersOf({ notificationId: contracts.sampleNotificationId(1), endsAt: instant(left) }, instant(0))['ttl']
  const day = 86_400_000
  t.strictSame([-5000, 0, 999, 1000, day, 28 * day, 60 * day].map(ttl), [
    '0',
    '0',
    '0',
    '1',
    '86400',
    '2419200',
    '2419200',
  ])
})
