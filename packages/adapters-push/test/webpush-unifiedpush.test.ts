import { type ClientId, callerOf, DEFAULT_POLICY, decode, type Email } from '@almoner/domain'
import { DELIVERED } from '@almoner/domain/notifications'
import { AttachDevice, makeAttachDevice, recognise } from '@almoner/domain/people'
import { replyJson } from '@almoner/push-providers'
import { done, failure, samplePush } from '@almoner/testkit/contracts'
import { memoryStore, setClock } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { keys, withWebPush } from './webpush.ts'

// An app with UnifiedPush gets the endpoint and the keys of a Web Push subscription from the distributor on the phone.

const AMINA = 'amina@example.org' as Email
const donor = callerOf({
  clientId: 'app' as ClientId,
  scopes: ['user-donor'],
  roles: [],
  email: O.some(AMINA),
})

t.test('F5: a phone with UnifiedPush is reached by Web Push, once its push server is allowed', async (t) => {
  const { service, gateway, host } = await withWebPush(t)
  // The endpoint as ntfy gives it out.
  const { endpoint, keys: publicKeys } = service.subscribe(keys.publicKey, '/upA1b2C3d4E5f6?up=1')
  const token = JSON.stringify({ endpoint, keys: publicKeys })
  const command = decode(AttachDevice)({ email: AMINA, device_token: token })
  if (E.isLeft(command)) return t.fail(JSON.stringify(command.left))
  const ports = { ...memoryStore(), clock: setClock() }

  const refused = makeAttachDevice(ports, DEFAULT_POLICY)(donor, command.right)
  t.equal(
    await failure(refused),
    'ValidationFailed',
    'the default list has the push services of browsers only',
  )
  const webPushHosts = [...DEFAULT_POLICY.webPushHosts, host]
  const { kind } = await done(
    makeAttachDevice(ports, { ...DEFAULT_POLICY, webPushHosts })(donor, command.right),
  )
  t.equal(kind, 'webpush')

  const destination = recognise(token)
  if (destination === undefined) return t.fail('it has a destination')
  // ntfy answers a message with 200 and its own description of it.
  service.next(endpoint, replyJson(200, { event: 'message' }))
  const push = samplePush(1, { destination })
  t.same(await gateway.send(push)(), DELIVERED)
  const { notification } = JSON.parse(service.requests[0]?.text ?? '')
  t.equal(notification.title, push.message.title, 'the phone decrypts it')
  t.equal(service.requests[0]?.token, endpoint, 'the query is part of the address')
})
