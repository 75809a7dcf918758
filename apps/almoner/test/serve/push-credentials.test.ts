import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import {
  readApnsKey,
  readAuthority,
  readServiceAccount,
  type Validated,
} from '../../src/composition/push/credentials.ts'
import { type Environment, readSettings } from '../../src/config/read.ts'
import { ownFolder } from '../support/own-folder.ts'
import { withProviders } from '../support/providers.ts'

const folder = ownFolder()
const { variables, write, fcm } = await withProviders(t, folder)

const settingsWith = (over: Environment) => {
  const settings = readSettings({ ...variables, ...over })
  if (E.isLeft(settings)) throw new Error(settings.left.join('\n'))
  return settings.right
}

/** Each file that a setting may name, and what reads it. */
const READERS = {
  ALMONER_FCM_CREDENTIALS: readServiceAccount,
  ALMONER_APNS_KEY: readApnsKey,
  ALMONER_PUSH_CA: readAuthority,
}

const readFrom = (name: keyof typeof READERS, file: string): Promise<Validated<unknown>> =>
  READERS[name](settingsWith({ [name]: file }))

const linesOf = (checked: Validated<unknown>): ReadonlyArray<string> =>
  E.isLeft(checked) ? checked.left : []

const NAMES = Object.keys(READERS) as ReadonlyArray<keyof typeof READERS>

t.test('credentials: the files that providers issue are accepted', async (t) => {
  for (const name of NAMES) t.ok(E.isRight(await readFrom(name, variables[name])), name)
  const { token_uri: _, ...withoutCursor } = fcm.account
  const account = await readFrom(
    'ALMONER_FCM_CREDENTIALS',
    write('google.json', JSON.stringify(withoutCursor)),
  )
  t.ok(E.isRight(account) && !('token_uri' in (account.right as object)), 'Google’s own endpoint is used')
})

t.test('credentials: any invalid file is reported by its setting, and its content never shown', async () => {
  const texts = fc.oneof(
    fc.string({ minLength: 12 }),
    fc.json(),
    fc.string().map((text) => JSON.stringify({ ...fcm.account, private_key: `k${text}` })),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NAMES), texts, async (name, text) => {
      const lines = linesOf(await readFrom(name, write('any', text)))
      return (
        lines.length > 0 &&
        lines.every((line) => line.startsWith(`${name} must be `) && !line.includes(folder)) &&
        (text.length < 12 || lines.every((line) => !line.includes(text)))
      )
    }),
    { numRuns: 60 },
  )
})

t.test('credentials: wrong kinds of keys, and several errors, are reported', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const curve = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const account = { ...fcm.account, private_key: curve, client_email: ' ', token_uri: 'http://example.org' }
  t.match(linesOf(await readFrom('ALMONER_FCM_CREDENTIALS', write('a.json', JSON.stringify(account)))), [
    /lacks client_email$/,
    /private_key is no RSA private key$/,
    /token_uri is no https address$/,
  ])
  t.match(
    linesOf(await readFrom('ALMONER_FCM_CREDENTIALS', write('a.json', '{"type":"authorized_user"}')))[0],
    /its type is another one$/,
  )
  t.match(linesOf(await readFrom('ALMONER_APNS_KEY', write('a.p8', curve))), [/no private key of P-256$/])
  const { ALMONER_PUSH_CA: ca } = variables
  const broken = `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`
  t.ok(E.isRight(await readFrom('ALMONER_PUSH_CA', ca)))
  t.match(linesOf(await readFrom('ALMONER_PUSH_CA', write('a.pem', broken))), [/one in it cannot be read$/])
})

t.test('credentials: what is not a readable file is reported without waiting', async (t) => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  writeFileSync(join(folder, 'latin'), Buffer.from([0xe9, 0x41]))
  for (const [file, why] of [
    ['no-such', /is not there$/],
    ['', /is a folder$/],
    ['pipe', /is no regular file$/],
    ['latin', /is no text in UTF-8$/],
  ] as const)
    for (const name of NAMES) {
      const [line = ''] = linesOf(await readFrom(name, join(folder, file)))
      t.match(line, why)
      t.ok(line.startsWith(`${name} must be the path of a file that can be read: it `))
    }
})
