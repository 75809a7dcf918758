import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@almoner/adapters-node'
import { openSqlite } from '@almoner/adapters-sqlite'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import type { Machine } from '../../../src/commands/doctor/finding.ts'
import { DEFAULT_DATABASE, makeOlder, onStore } from '../database.ts'
import { currentFolder, obey, placesIn, ROOMY, type Trial } from './trial.ts'

const GIBIBYTE = 1024 ** 3

const room = (left: number, ffree = 5): Partial<Machine> => ({
  roomAt: async () => ({ bavail: left / 4096, bsize: 4096, files: 10, ffree }),
})

/** A machine that is mended as a whole. */
const onMachine = (machine: Partial<Machine>): Trial => ({
  bringAbout: async (t) => ({
    variables: placesIn(await currentFolder(t)),
    machine,
    follow: async () => ({ machine: ROOMY }),
  }),
})

const refusing = (code: string): Partial<Machine> => ({
  mayWrite: async () => {
    throw Object.assign(new Error(code), { code })
  },
})

/** Advice about the machine, its disks and its folders. */
export const OF_MACHINE = {
  'disk-files': onMachine(room(GIBIBYTE, 0)),
  'disk-full': onMachine(room(4096)),
  'disk-narrow': onMachine(room(GIBIBYTE / 2)),
  'database-not-writable': onMachine(refusing('EACCES')),
  'database-read-only': onMachine(refusing('EROFS')),
  'not-examined': onMachine({ roomAt: () => Promise.reject(new Error('EIO')) }),
  'no-answer': onMachine({ roomAt: () => new Promise<never>(() => {}) }),
  'clock-apart': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const node = { id: 'a', name: 'web-1:3000', settings: {}, lastSeenAt: systemClock.now() }
      await onStore(folder, ({ nodes }) => done(nodes.beat(node, node.lastSeenAt)))
      return {
        variables: placesIn(folder),
        machine: { now: () => node.lastSeenAt - 90_000 },
        follow: async () => ({ machine: { now: Date.now } }),
      }
    },
  },
  'database-log': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const file = join(folder, DEFAULT_DATABASE)
      const engine = await done(openSqlite({ file }))
      t.teardown(engine.close)
      const reader = engine
        .streamSnapshot(async function* (db) {
          for (;;) yield await db.selectFrom('label').selectAll().execute()
        })
        [Symbol.asyncIterator]()
      await reader.next()
      const row = { label_id: 'a' as never, en: 'a' as never, fr: 'a' as never, rank: 0 }
      await done(engine.write(async (db) => E.right(await db.insertInto('label').values(row).execute())))
      truncateSync(`${file}-wal`, 300 * 1024 ** 2)
      return {
        variables: placesIn(folder),
        follow: async () => {
          await reader.return?.()
          return {}
        },
      }
    },
  },
  'folder-not-made': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const file = join(folder, 'data/media/file')
      writeFileSync(file, '')
      return {
        variables: { ...placesIn(folder), ALMONER_MEDIA: `file:${file}/below` },
        follow: async ({ fix }) => {
          const [, path = ''] = /^make (.*) a folder/.exec(fix) ?? []
          rmSync(path)
          mkdirSync(path)
          return {}
        },
      }
    },
  },
  'media-folder': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const path = join(folder, DEFAULT_DATABASE)
      return {
        variables: { ...placesIn(folder), ALMONER_MEDIA: `file:${path}` },
        follow: async () => ({ variables: placesIn(folder) }),
      }
    },
  },
  'database-outdated': {
    bringAbout: async (t) => {
      const folder = t.testdir({ data: { media: {} } })
      await makeOlder(folder)
      const variables = placesIn(folder)
      return {
        variables,
        follow: async ({ fix }) => {
          await obey(fix.replace(/^run /, ''), variables)
          return {}
        },
      }
    },
  },
} as const satisfies Readonly<Record<string, Trial>>
