import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientId, Ports } from '@almoner/domain'
import { wholeOf } from '@almoner/domain/delivery'
import { toRfc3339 } from '@almoner/domain/values'
import {
  done,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleFeedItem,
  sampleId,
  sampleNotification,
} from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { furnish } from '../support/archive.ts'
import { DEFAULT_DATABASE, onStore } from '../support/database.ts'
import { command } from '../support/portfolio.ts'

// L1, L2: `user erase` and `user export`.

/** A person of the furnished service, who gets a notification that is half sent. */
const EMAIL = sampleEmail(1)
const TOKENS = [sampleDevice(1).token, 'fcm:another-device-of-1', 'fcm:a-dead-device-of-1']

/** Claims until a batch has all devices of the person, and reports the last of them as unregistered. */
const markDead = async (deliveries: Ports['deliveries'], devices: number): Promise<void> => {
  for (;;) {
    const claimed = await done(
      deliveries.claim({
        now: SAMPLE_MOMENT,
        most: 500,
        first: 'retries',
        except: [],
        isAbandoned: () => true,
      }),
    )
    if (O.isNone(claimed)) throw new Error('there is nothing to claim')
    const { claim, recipients } = claimed.value
    const own = recipients.filter(({ email }) => email === EMAIL)
    const last = own.at(-1)
    if (own.length < devices || last === undefined) continue
    const result = { kind: 'unregistered', origin: wholeOf('fcm'), attachedAt: SAMPLE_MOMENT } as const
    const results = [{ deviceId: last.deviceId, ...result }]
    await done(deliveries.record(claim, results, { now: SAMPLE_MOMENT, last: true, credentials: {} }))
    return
  }
}

/** Fills a service, and gives the person a client, two more devices, one of them dead, and a post. */
const furnishPerson = async (folder: string): Promise<void> => {
  await furnish(folder)
  await onStore(folder, async ({ clients, devices, deliveries, feedItems, notifications }) => {
    const client = {
      id: 'app' as ClientId,
      name: 'App',
      scopes: ['user-donor'] as const,
      roles: [],
      disabled: false,
    }
    await done(clients.add({ ...client, email: O.some(EMAIL) }, 'hash-of-a-secret'))
    for (const token of TOKENS.slice(1)) {
      const device = { ...sampleDevice(1), token: token as ReturnType<typeof sampleDevice>['token'] }
      await done(devices.attach(device))
    }
    const author = { clientId: 'app' as ClientId, email: O.some(EMAIL) }
    await done(feedItems.add({ item: sampleFeedItem(9, { id: sampleId(9) }), linksToImages: [], author }))
    await done(notifications.add(sampleNotification(2)))
    await done(deliveries.start(SAMPLE_MOMENT, 86_400_000))
    await markDead(deliveries, TOKENS.length)
  })
}

/** Everything that a folder holds, by path: names and bytes. */
const filesIn = (folder: string): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path)]),
  )

const mentions = (folder: string, text: string): ReadonlyArray<string> =>
  [...filesIn(folder)]
    .filter(([path, bytes]) => path.includes(text) || bytes.includes(text))
    .map(([path]) => path)

t.test(
  'L1: after user erase nothing contains the address or a token: files, log, export, backup',
  async (t) => {
    const folder = t.testdir({})
    await furnishPerson(folder)
    for (const text of [EMAIL, ...TOKENS]) t.not(mentions(folder, text).length, 0, 'it was there')
    t.strictSame(await command(folder, 'user', 'erase', EMAIL), { code: 0, out: 'erased\n', err: '' })
    for (const name of ['export', 'backup'])
      t.match(await command(folder, name, join(folder, `${name}.tar`)), { code: 0 })
    t.ok(existsSync(join(folder, DEFAULT_DATABASE)))
    for (const text of [EMAIL, ...TOKENS]) t.strictSame(mentions(folder, text), [], text)
    t.not(mentions(folder, sampleEmail(2)).length, 0, 'others are there')
    t.match(await command(folder, 'user', 'erase', EMAIL), {
      code: 1,
      out: '',
      err: 'almoner: nothing is stored about this address\n',
    })
  },
)

t.test('L2: user export prints everything about a person, and no secrets', async (t) => {
  const folder = t.testdir({})
  await furnishPerson(folder)
  const { code, out } = await command(folder, 'user', 'export', EMAIL.toUpperCase())
  t.equal(code, 0)
  const document = JSON.parse(out)
  t.match(document, {
    email: EMAIL,
    preference: { lang: 'en', subscribed: true, topics: [] },
    devices: TOKENS.slice(0, 2).map((token) => ({ token, kind: 'fcm' })),
    deadDevices: [{ token: TOKENS[2], kind: 'fcm', detachedAt: toRfc3339(SAMPLE_MOMENT) }],
    deliveries: [TOKENS[0], TOKENS[0], TOKENS[1]].map((token) => ({ token, state: 'pending', at: '' })),
    clients: [{ client_id: 'app', email: EMAIL, disabled: false }],
    passkeys: [],
    identity: null,
    password: null,
    workingCopies: [],
    proposals: [],
    responses: [],
  })
  t.strictSame(
    document.posts.map(({ itemId }: { readonly itemId: string }) => itemId).sort(),
    [sampleId(2), sampleId(9)].sort(),
  )
  t.notMatch(out, 'hash-of-a-secret')
  t.match(await command(folder, 'user', 'export', 'unknown@example.org'), { code: 1, out: '' })
  t.match(await command(folder, 'user', 'export', 'malformed'), { code: 2, err: /EMAIL must be an email/ })
})
