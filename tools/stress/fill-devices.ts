import { createHash } from 'node:crypto'
import type { Engine } from '../../packages/adapters-kysely/src/index.ts'
import type {
  DeviceId,
  DeviceKind,
  DeviceToken,
  Email,
  Instant,
  Language,
} from '../../packages/domain/src/index.ts'
import { openStore } from '../bench/store.ts'

/** Rows in one statement and in one transaction: under the engine's limits, large enough to be quick. */
const STATEMENT = 1000
const TRANSACTION = 50_000

/** Two readers in three read English; every fourth has two devices. */
const langOf = (person: number): Language => (person % 3 === 0 ? 'fr' : 'en')
const ownerOf = (device: number): number => device - (device % 4 === 3 ? 1 : 0)

const person = (n: number) => ({
  email: `reader-${n}@example.org` as Email,
  lang: langOf(n),
  subscribed: 1 as const,
})

/** A device's token and kind. */
export interface Kind {
  readonly token: string
  readonly kind: DeviceKind
}

const fcm = (n: number): Kind => ({
  token: `fcm:${createHash('sha256').update(String(n)).digest('base64url')}${n}`,
  kind: 'fcm',
})

const device = (n: number, { token, kind }: Kind) => {
  return {
    token_digest: createHash('sha256').update(token).digest('hex'),
    token: token as DeviceToken,
    kind,
    attached_at: 0 as Instant,
    epoch: 0,
    ...person(ownerOf(n)),
  }
}

const numbers = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from }, (_, n) => from + n)

/**
 * Fills a database whose schema is current with subscribed readers and their devices; gives each device's language, in order. Of FCM
 * unless `kindOf` says else.
 */
export const fillDevicesIn = async (
  engine: Engine,
  count: number,
  kindOf: (n: number) => Kind | undefined = fcm,
): Promise<ReadonlyMap<DeviceId, Language>> => {
  const languages = new Map<DeviceId, Language>()
  for (let begin = 0; begin < count; begin += TRANSACTION)
    await engine.write(async (db) => {
      const end = Math.min(count, begin + TRANSACTION)
      for (let at = begin; at < end; at += STATEMENT) {
        const block = numbers(at, Math.min(at + STATEMENT, end))
        const people = block.filter((n) => ownerOf(n) === n).map(person)
        await db.insertInto('person').values(people).execute()
        const rows = db
          .insertInto('device')
          .values(block.map((n) => device(n, kindOf(n) ?? fcm(n))))
          .returning(['id', 'lang'])
        for (const { id, lang } of await rows.execute()) languages.set(id, lang)
      }
      return { _tag: 'Right', right: undefined }
    })
  return languages
}

/** As {@link fillDevicesIn}, in a SQLite file. */
export const fillDevices = async (
  file: string,
  count: number,
  kindOf?: (n: number) => Kind | undefined,
): Promise<ReadonlyMap<DeviceId, Language>> => {
  const { engine } = await openStore(file)
  const languages = await fillDevicesIn(engine, count, kindOf)
  await engine.close()
  return languages
}
