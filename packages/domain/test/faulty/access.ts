import { type IdempotencyKey, KEY_LIFE } from '@almoner/domain/access'
import type { MediaName } from '@almoner/domain/media'
import { addMillis, type ClientId, type Instant, instant, MINUTE } from '@almoner/domain/values'
import { sampleEmail } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

/** Faults of secrets, limits of guesses, and idempotency keys. */
export const ACCESS_FAULTS: Faults<'secrets' | 'failedAttempts' | 'idempotencyKeys'> = {
  secrets: {
    'mints a secret twice': [
      'A6: secrets are unique and safe in a URL',
      ({ mint }) => {
        let minted = 0
        let latest = ''
        return {
          mint: () => {
            if (minted % 2 === 0) latest = mint()
            minted += 1
            return latest
          },
        }
      },
    ],
    'mints secrets with special characters': [
      'A6: secrets are unique and safe in a URL',
      ({ mint }) => ({ mint: () => `${mint()}+/=` }),
    ],
    'names every image .png': [
      'D2: image names are unique, have the known form and end with their type',
      ({ mintMediaName }) => ({ mintMediaName: () => mintMediaName('image/png') }),
    ],
    'names images one after another': [
      'D2: image names are unique, have the known form',
      () => {
        let made = 0
        return {
          mintMediaName: () => {
            made += 1
            return `${made}.png` as MediaName
          },
        }
      },
    ],
    'shortens what it digests': [
      'A6: equal secrets have equal digests, different ones different digests',
      ({ digest }) => ({ digest: (secret) => digest(secret.slice(0, 8)) }),
    ],
    'accepts the beginning of a secret': [
      'A6: a digest matches its secret and no other text',
      ({ digest }) => ({
        verify: (secret, stored) => TE.right(`${digest(secret)}x`.startsWith(stored) ? 'digest' : 'none'),
      }),
    ],
  },
  failedAttempts: {
    'counts failures of an address and of a pair together': [
      'A8: failures are stored by source and key',
      ({ of, add }) => ({
        of: (_, key, now) => of('pair', key, now),
        add: (_, key, now) => add('pair', key, now),
      }),
    ],
    'counts failures for two minutes': [
      'A8: failures are stored by source and key for a minute',
      ({ of }) => ({ of: (source, key, now) => of(source, key, addMillis(now, -MINUTE)) }),
    ],
    'counts failures of a clock that was ahead': [
      'A8: failures from before the clock was set back',
      ({ of, add }) => {
        let latest = instant(0)
        return {
          add: (source, key, now) => {
            latest = instant(Math.max(latest, now))
            add(source, key, now)
          },
          of: (source, key, now) => of(source, key, instant(Math.max(latest, now))),
        }
      },
    ],
    'stores every failure': [
      'A8: only the failures that the limit needs are stored',
      () => {
        const all = new Map<string, ReadonlyArray<Instant>>()
        return {
          of: (source, key) => all.get(`${source} ${key}`) ?? [],
          add: (source, key, now) =>
            void all.set(`${source} ${key}`, [...(all.get(`${source} ${key}`) ?? []), now]),
        }
      },
    ],
    'forgets the latest key in a flood': [
      'memory is bounded',
      ({ add }) => {
        let keys = 0
        return {
          add: (source, key, now) => {
            keys += 1
            if (keys <= 20_000) add(source, key, now)
          },
        }
      },
    ],
  },
  idempotencyKeys: {
    'finds the keys of all clients': [
      'I4: keys belong to their client',
      ({ find }) => ({ find: (key, now) => find({ ...key, clientId: 'app' as ClientId }, now) }),
    ],
    'finds the keys of all people': [
      'I4: keys of a person’s token belong to the person too',
      ({ find }) => ({
        find: ({ clientId, key }, now) => find({ clientId, person: sampleEmail(1), key }, now),
      }),
    ],
    'joins client and key by a space': [
      'I4: keys belong to their client',
      ({ find }) => ({
        find: (owned, now) => {
          const [first = '', ...rest] = owned.key.split(' ')
          const clientId = `${owned.clientId} ${first}` as ClientId
          const joined = { ...owned, clientId, key: rest.join(' ') as IdempotencyKey }
          return find(rest.length === 0 ? owned : joined, now)
        },
      }),
    ],
    'ignores the case of keys': [
      'I4: keys belong to their client and are case-sensitive',
      ({ find }) => ({
        find: (key, now) => find({ ...key, key: key.key.toLowerCase() as IdempotencyKey }, now),
      }),
    ],
    'finds a key after a day': [
      'I4: after 24 hours a key is free again',
      ({ find }) => ({ find: (key, now) => find(key, addMillis(now, -1)) }),
    ],
    'purges keys that are still used': [
      'I4: purging deletes expired keys',
      ({ purge }) => ({ purge: (now) => purge(addMillis(now, KEY_LIFE)) }),
    ],
    'purges nothing': ['I4: purging deletes expired keys', () => ({ purge: () => TE.right(0) })],
    'leaves the responses about a user': [
      'I4, L1: responses about a user can be deleted',
      () => ({ forget: () => TE.right(1) }),
    ],
    'returns the body only': [
      'I4: adding a library item stores its key and its response',
      ({ find }) => ({
        find: returning(
          find,
          O.map((use) => ({ ...use, response: { ...use.response, contentType: O.none, etag: O.none } })),
        ),
      }),
    ],
    'turns an empty response into JSON': [
      'I4: a response without body, type and tag',
      ({ find }) => ({
        find: returning(
          find,
          O.map((use) => ({ ...use, response: { ...use.response, body: use.response.body || '{}' } })),
        ),
      }),
    ],
  },
}
