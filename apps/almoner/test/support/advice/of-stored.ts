import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@almoner/adapters-kysely'
import { systemClock } from '@almoner/adapters-node'
import type { LibraryItem } from '@almoner/domain'
import { makeRunSchedules, NO_ROUNDS, roundEnded } from '@almoner/domain/content'
import { type Instant, instant } from '@almoner/domain/values'
import { done, sampleDevice, sampleLibraryItem, sampleNotification } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { furnish } from '../archive.ts'
import { DEFAULT_DATABASE, onStore } from '../database.ts'
import { currentFolder, obey, placesIn, type Trial } from './trial.ts'

const DAY = 86_400_000

/** Something in the store, which advice changes there. */
const inStore = (
  fill: (folder: string) => Promise<unknown>,
  mend: (folder: string, fix: string) => Promise<unknown>,
): Trial => ({
  bringAbout: async (t) => {
    const folder = await currentFolder(t)
    await fill(folder)
    return {
      variables: placesIn(folder),
      follow: async ({ fix }) => {
        await mend(folder, fix)
        return {}
      },
    }
  },
})

/** Runs each command that an advice names. */
const obeyAll = async (folder: string, fix: string, names: RegExp) => {
  for (const [command] of fix.matchAll(names)) await obey(command, placesIn(folder))
}

const pausedFor = (reason: string, until: Instant | null, probes = 0) =>
  inStore(
    async (folder) => {
      const database = new Database(join(folder, DEFAULT_DATABASE))
      database
        .prepare(
          'update provider set paused_since = ?, pause_reason = ?, paused_until = ?, probes = ? where name = ?',
        )
        .run(Date.now() - 1000, reason, until, probes, 'fcm')
      database.close()
    },
    (folder, fix) => obeyAll(folder, fix, /almoner (?:devices restore --provider|push resume) fcm/g),
  )

const endNotification = async (store: Store, at: Instant) => {
  await done(store.devices.attach(sampleDevice(1)))
  await done(store.notifications.add(sampleNotification(1, { date: O.some(at) })))
  await done(store.deliveries.start(at, DAY))
  const batch = await done(
    store.deliveries.claim({ now: at, most: 5, first: 'retries', except: [], isAbandoned: () => true }),
  )
  if (O.isNone(batch)) throw new Error('there is nothing to claim')
  const { claim, recipients } = batch.value
  const results = recipients.map(
    ({ deviceId }) => ({ deviceId, kind: 'notSent', outcome: 'failed' }) as const,
  )
  await done(store.deliveries.record(claim, results, { now: at, last: true, credentials: {} }))
}

const LONG_AGO = instant(Date.now() - 100 * DAY)

/** Does what the hourly jobs of a server do, for which the advice keeps one running. */
const purge = (folder: string) =>
  onStore(folder, async ({ retention, notifications }) => {
    while ((await done(retention.purgeDeliveries(instant(Date.now())))) > 0);
    while ((await done(retention.purgeNotifications(instant(Date.now())))) > 0);
    while ((await done(notifications.purge())) > 0);
  })

const image = (folder: string, name: string, at = new Date(Date.now() - DAY)) => {
  const path = join(folder, 'data/media', name)
  writeFileSync(path, 'not decoded here')
  utimesSync(path, at, at)
}
const MARKER = 'data/media/.almoner-identity'
const sweepAnyway = (folder: string) => obey('media sweep --confirm', placesIn(folder))

/** Advice about rows and stored images. */
export const OF_STORED = {
  'devices-unroutable': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const variables = placesIn(folder)
      const attach = (kind: 'unroutable' | 'fcm') =>
        onStore(folder, (store) => done(store.devices.attach(sampleDevice(1, { kind }))))
      await attach('unroutable')
      return {
        variables,
        follow: async () => {
          await attach('fcm')
          return { variables: { ...variables, ALMONER_PUSH_DEFAULT: 'fcm' } }
        },
      }
    },
  },
  'links-void': inStore(
    (folder) =>
      onStore(folder, ({ linkFindings }) =>
        done(linkFindings.advance(roundEnded(NO_ROUNDS, { at: LONG_AGO, hosts: 3, unreached: 2 }), [])),
      ),
    (folder) =>
      onStore(folder, ({ linkFindings }) =>
        done(
          linkFindings.advance(
            { ...roundEnded(NO_ROUNDS, { at: LONG_AGO, hosts: 3, unreached: 1 }), step: 2 },
            [],
          ),
        ),
      ),
  ),
  'retention-rows': inStore((folder) => onStore(folder, (store) => endNotification(store, LONG_AGO)), purge),
  'schedules-failed': inStore(
    (folder) =>
      onStore(folder, async (store) => {
        const item = sampleLibraryItem(1, { publishAt: O.some(instant(0)) })
        await done(store.libraryItems.add({ item, linksToImages: [] }))
        await done(makeRunSchedules({ ...store, clock: systemClock })())
      }),
    (folder) =>
      onStore(folder, async ({ libraryItems }) => {
        const none = { storesImages: [], displaysImages: [], linksToImages: [] }
        const archive = (item: LibraryItem) =>
          E.right({ item: { ...item, status: 'Archived' as const }, ...none })
        await done(libraryItems.change(sampleLibraryItem(1).id, archive))
      }),
  ),
  'retention-notifications': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      await onStore(folder, (store) => endNotification(store, LONG_AGO))
      return {
        variables: { ...placesIn(folder), ALMONER_NOTIFICATION_DAYS: '30' },
        follow: async () => {
          await purge(folder)
          return {}
        },
      }
    },
  },
  'nodes-differ': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const settings = { ALMONER_TIME_ZONE: 'Europe/Paris' }
      const node = { id: 'a', name: 'web-1:3000', settings, lastSeenAt: instant(Date.now()) }
      await onStore(folder, ({ nodes }) => done(nodes.beat(node, node.lastSeenAt)))
      return {
        variables: placesIn(folder),
        follow: async () => ({ variables: { ...placesIn(folder), ...settings } }),
      }
    },
  },
  'pause-operator': inStore(
    (folder) => obey('push pause fcm', placesIn(folder)),
    (folder, fix) => obeyAll(folder, fix, /almoner push resume fcm/g),
  ),
  'pause-refused': pausedFor('PERMISSION_DENIED', instant(Date.now() + 240_000), 1),
  'pause-silent': pausedFor('no answer', instant(Date.now() + 240_000), 1),
  'pause-unregistered': pausedFor('too many tokens called dead', null),
  'images-no-references': inStore(async (folder) => {
    await obey('media adopt', placesIn(folder))
    image(folder, 'an-unguessable-name-of-an-image.png')
  }, sweepAnyway),
  'images-too-many-orphans': inStore(async (folder) => {
    await furnish(folder)
    await obey('media adopt', placesIn(folder))
    for (let n = 0; n < 60; n += 1) image(folder, `orphan-of-a-crash-${String(n).padStart(6, '0')}.png`)
  }, sweepAnyway),
  'images-other-storage': inStore(
    async (folder) => {
      await furnish(folder)
      writeFileSync(join(folder, MARKER), 'of-another-database')
    },
    (folder, fix) => obeyAll(folder, fix, /almoner media \w+/g),
  ),
  'images-unknown': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      await obey('media adopt', placesIn(folder))
      rmSync(join(folder, MARKER))
      writeFileSync(join(folder, MARKER), 'of-another-database')
      image(folder, 'an-unguessable-name-of-an-image.png')
      return {
        variables: placesIn(folder),
        follow: async () => ({ variables: { ...placesIn(folder), ALMONER_MEDIA: `file:${folder}/own` } }),
      }
    },
  },
} as const satisfies Readonly<Record<string, Trial>>
