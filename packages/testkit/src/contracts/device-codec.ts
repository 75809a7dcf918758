import {
  type DeviceCodec,
  destinationOf,
  isProviderName,
  PROVIDERS,
  type Provider,
  recognise,
} from '@almoner/domain/people'
import type { ContractRunner } from './runner.ts'

const SUBSCRIPTION = JSON.stringify({
  endpoint: 'https://push.example.org/1',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
})

/** Tokens that the service knows without a codec, and some of no kind. */
const FOREIGN: ReadonlyArray<string> = [
  'fcm:one',
  'fid:one',
  'apns:one',
  'apns-sandbox:one',
  'a1'.repeat(32),
  'xyz:APA91bExample',
  SUBSCRIPTION,
  `webpush:${SUBSCRIPTION}`,
  '',
  ' ',
  'of no kind',
  '😀',
]

/** What every `DeviceCodec` must do, given a few tokens of its kind. */
export const deviceCodecContract = <P extends Provider>(
  runner: ContractRunner,
  codec: DeviceCodec<P>,
  tokens: readonly [string, ...ReadonlyArray<string>],
): void => {
  const { provider } = codec
  const builtIn: ReadonlyArray<Provider> = PROVIDERS

  runner('F5: its provider has a name that stores accept and no other kind has', async (check) => {
    check.ok(isProviderName(provider), provider)
    check.ok(!builtIn.includes(provider), provider)
  })

  runner('F5: each token of its kind leads to its provider, the same each time', async (check) => {
    for (const token of tokens) {
      check.same(codec.recognise(token)?.provider, provider)
      check.same(codec.recognise(token), codec.recognise(token))
    }
    check.same(
      new Set(tokens.map((token) => JSON.stringify(codec.recognise(token)))).size,
      new Set(tokens).size,
    )
  })

  runner('F5: it takes no token of another kind, and other rules take none of its tokens', async (check) => {
    for (const token of FOREIGN) check.same(codec.recognise(token), undefined)
    for (const token of tokens) check.same(recognise(token), undefined)
  })

  runner('F5: with it, a token is recognised, and found again for sending', async (check) => {
    for (const token of tokens) {
      const destination = codec.recognise(token)
      check.same(recognise(token, undefined, [codec]), destination)
      check.same(recognise(token, 'fcm', [codec]), destination, 'before the default of the deployment')
      check.same(destinationOf(token, provider, [codec]), destination)
      check.same(destinationOf(token, 'unroutable', [codec]), undefined, 'as it was recorded when attached')
    }
  })
}
