import { type IdempotencyKey, KEY_LIFE, type TokenDigest } from '@almoner/domain/access'
import { newSession, USED_AHEAD } from '@almoner/domain/managers'
import { liveNodes } from '@almoner/domain/operations'
import { addMillis, type ClientId, type Instant, instant, MINUTE, SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { sampleClient } from './access/access.ts'
import { type ClockStepsUnderTest, SENDING_TIMES, type StoredTime } from './delivery/stored-times.ts'
import { MANAGER_NOW as NOW, openByLink, sampleDigest, sampleManager } from './managers/managers.ts'
import { samplePassword, samplePreview } from './managers/sessions.ts'
import { type ContractRunner, onEach } from './runner.ts'
import { done, sampleDevice } from './samples.ts'

export type { ClockStepsUnderTest, StoredTime } from './delivery/stored-times.ts'

const app = sampleClient('app')
const ada = sampleManager('ada')
const digest = sampleDigest(7)
const LIFE = 10 * MINUTE

const secretAt = (at: Instant) => ({
  ...({ digest, purpose: 'sign-in', email: ada.email, expiresAt: addMillis(at, LIFE), life: LIFE } as const),
})

const sessionAt = (at: Instant, n = 1) =>
  newSession({ digest: sampleDigest(n), email: ada.email, browser: 'Browser' }, at, {
    sessionIdle: LIFE / SECOND,
    sessionLife: (10 * LIFE) / SECOND,
  })

const openAt = (store: ClockStepsUnderTest, at: Instant) => openByLink(store, sessionAt(at))

/** Times that are compared with the clock. */
export const STORED_TIMES: Readonly<Record<string, StoredTime>> = {
  ...SENDING_TIMES,
  'an access token': {
    life: LIFE,
    store: ({ accessTokens }, at) =>
      done(
        accessTokens.add({
          ...{ digest, clientId: app.id, scopes: ['user'], expiresAt: addMillis(at, LIFE), life: LIFE },
        }),
      ),
    counts: async ({ accessTokens }, now) => O.isSome(await done(accessTokens.grantOf(digest, now))),
  },
  'a session': {
    life: LIFE,
    store: openAt,
    counts: async ({ sessions }, now) => O.isSome(await done(sessions.find(sampleDigest(1), now))),
  },
  'a session among others': {
    life: LIFE,
    store: openAt,
    counts: async ({ sessions }, now) => (await done(sessions.current([sampleDigest(1)], now))).size === 1,
  },
  'a session in the list of a manager': {
    life: LIFE,
    store: openAt,
    counts: async ({ sessions }, now) => (await done(sessions.of(ada.email, now))).length === 1,
  },
  'the last use of a session': {
    life: LIFE,
    store: async (store, at) => {
      await openAt(store, instant(Math.min(at, NOW)))
      const use = { digest: sampleDigest(1), lastSeenAt: at, idleEndsAt: addMillis(at, LIFE) }
      await done(store.sessions.touch(use))
    },
    counts: async ({ sessions }, now) => O.isSome(await done(sessions.find(sampleDigest(1), now))),
  },
  'a one-time secret': {
    life: LIFE,
    store: ({ oneTimeSecrets }, at) => done(oneTimeSecrets.put(secretAt(at))),
    counts: async ({ oneTimeSecrets }, now) =>
      O.isSome(await done(oneTimeSecrets.find(digest, 'sign-in', now))),
  },
  'a one-time secret that is taken': {
    life: LIFE,
    store: ({ oneTimeSecrets }, at) => done(oneTimeSecrets.put(secretAt(at))),
    counts: async ({ oneTimeSecrets }, now) =>
      O.isSome(await done(oneTimeSecrets.take(digest, 'sign-in', now))),
  },
  'a sign-in link that opens a session': {
    life: LIFE,
    store: ({ oneTimeSecrets }, at) => done(oneTimeSecrets.put(secretAt(at))),
    counts: async ({ sessions }, now) => {
      const credential = { way: 'link', link: digest as TokenDigest } as const
      return O.isSome(await done(sessions.open(sessionAt(now, 2), { duty: ada.duty, credential })))
    },
  },
  'a preview token': {
    life: LIFE,
    store: ({ previewTokens }, at) =>
      done(previewTokens.add(samplePreview(8, { expiresAt: addMillis(at, LIFE), life: LIFE }))),
    counts: async ({ previewTokens }, now) => O.isSome(await done(previewTokens.find(sampleDigest(8), now))),
  },
  'a heartbeat': {
    life: 3 * MINUTE,
    store: ({ nodes }, lastSeenAt) =>
      done(nodes.beat({ id: 'a', name: 'web', settings: {}, lastSeenAt }, addMillis(lastSeenAt, -MINUTE))),
    counts: async ({ nodes }, now) =>
      (await done(liveNodes({ nodes, clock: { now: () => now } }))).length === 1,
  },
}

const YEARS = 3 * 365 * 24 * 60 * MINUTE

/** Contract tests of stored times whose clock is set (I9): nothing counts for longer than it was given. */
export const clockStepsContract = (
  runner: ContractRunner,
  make: () => Promise<ClockStepsUnderTest>,
): void => {
  const given = onEach(runner, make, async (store) => {
    await done(store.clients.add(app, 'hash'))
    await done(store.managers.add(ada))
    return store
  })

  for (const [name, { life, store: put, counts }] of Object.entries(STORED_TIMES)) {
    for (const ahead of [0, 1, 30 * SECOND, MINUTE])
      given(`I9: ${name} counts where clocks are ${ahead / SECOND} s apart`, async (check, store) => {
        await put(store, addMillis(NOW, ahead))
        check.same(await counts(store, NOW), true)
      })
    for (const ahead of [MINUTE + 1, 2 * MINUTE, 2 * LIFE, YEARS])
      given(
        `I9: ${name} of a clock that was set back by ${ahead / SECOND} s has ended`,
        async (check, store) => {
          await put(store, addMillis(NOW, ahead))
          check.same(await counts(store, NOW), false)
        },
      )
    for (const step of [life + MINUTE, YEARS])
      given(
        `I9: ${name} has ended where the clock was set ahead by ${step / SECOND} s`,
        async (check, store) => {
          await put(store, NOW)
          check.same(await counts(store, addMillis(NOW, step)), false)
        },
      )
  }

  given('I9: a heartbeat from the future is deleted by the next one', async (check, { nodes }) => {
    const beat = (id: string, lastSeenAt: Instant) =>
      done(nodes.beat({ id, name: id, settings: {}, lastSeenAt }, addMillis(lastSeenAt, -10 * MINUTE)))
    await beat('ahead', addMillis(NOW, YEARS))
    await beat('near', addMillis(NOW, MINUTE))
    await beat('now', NOW)
    check.same(
      (await done(nodes.since(instant(0)))).map(({ id }) => id),
      ['near', 'now'],
    )
  })

  given('M3, I9: a code counts once, and after one that a clock ahead has used', async (check, store) => {
    const password = { ...samplePassword(), email: ada.email }
    const usedBy = () => O.some({ step: 8 })
    const credential = { way: 'password', hash: O.some(password.hash), usedBy } as const
    const opens = async (n: number) =>
      O.isSome(await done(store.sessions.open(sessionAt(NOW, n), { duty: ada.duty, credential })))
    for (const [n, usedStep] of [8, 8 + USED_AHEAD, 9 + USED_AHEAD, 1e9].entries()) {
      await done(store.passwords.set({ ...password, usedStep }))
      check.same(await opens(n), n > 1, `after step ${usedStep}`)
      check.same(await opens(n + 9), false, 'once')
    }
  })

  given('I9: what a clock that was ahead has made is purged', async (check, store) => {
    const { accessTokens, oneTimeSecrets, previewTokens, sessions } = store
    const kinds = [
      ['an access token', accessTokens],
      ['a one-time secret', oneTimeSecrets],
      ['a preview token', previewTokens],
      ['a session', sessions],
      ['the last use of a session', sessions],
    ] as const
    for (const [name, port] of kinds) {
      const put = async (ahead: number) => STORED_TIMES[name]?.store(store, addMillis(NOW, ahead))
      await put(MINUTE)
      check.same(await done(port.purge(NOW)), 0, `${name} counts where clocks are a minute apart`)
      check.same((await done(port.purge(addMillis(NOW, 2 * LIFE)))) > 0, true, `${name} has ended`)
      await put(YEARS)
      check.same((await done(port.purge(NOW))) > 0, true, `${name} of the future`)
      check.same(await done(port.purge(addMillis(NOW, 9 * YEARS))), 0, `nothing is left of ${name}`)
    }
  })

  given('I9: a key of a clock that was ahead is purged, though its day never ends', async (check, store) => {
    const used = async (n: number, at: Instant): Promise<void> => {
      const key = `key ${n}` as IdempotencyKey
      const responseTo = () => ({ status: 200, contentType: O.none, etag: O.none, body: '' })
      const receipt = { clientId: 'app' as ClientId, key, digest: '', at, about: O.none, responseTo }
      await done(store.devices.attach(sampleDevice(n), receipt))
    }
    await used(1, addMillis(NOW, YEARS))
    await used(2, addMillis(NOW, KEY_LIFE))
    await used(3, NOW)
    check.same(await done(store.idempotencyKeys.purge(NOW)), 1)
    check.same(await done(store.idempotencyKeys.purge(NOW)), 0)
    const isKept = async (n: number) =>
      O.isSome(
        await done(
          store.idempotencyKeys.find({ clientId: 'app' as ClientId, key: `key ${n}` as IdempotencyKey }, NOW),
        ),
      )
    check.same([await isKept(1), await isKept(2), await isKept(3)], [false, true, true])
  })
}
