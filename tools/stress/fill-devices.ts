import { createHash } from 'node:crypto'
import { type DeviceKind, type DeviceToken, deviceKeys } from '@almoner/domain/people'
import type { Email, Instant, Language } from '@almoner/domain/values'
import type { Database } from '../../packages/adapters-kysely/src/index.ts'
import { identityDigest } from '../../packages/adapters-kysely/src/schema/device.table.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { openStore } from '../bench/store.ts'

/** Rows of a statement and of a transaction: under the engine's limits, large enough to be quick. */
const STATEMENT = 1000
const TRANSACTION = 50_000

/** A device's token and kind. */
export interface Kind {
  readonly token: string
  readonly kind: DeviceKind
}

const digest = (text: string) => createHash('sha256').update(text)
const fcm = (n: number): Kind => ({ token: `fcm:${digest(String(n)).digest('base64url')}${n}`, kind: 'fcm' })

/** Every fourth device is the second one of its user. */
const ownerOf = (device: number): number => device - (device % 4 === 3 ? 1 : 0)

/** Returns the language of the n-th device: two users in three read English. */
export const languageOf = (device: number): Language => (ownerOf(device) % 3 === 0 ? 'fr' : 'en')

const person = (n: number) => ({
  email: `reader-${n}@example.org` as Email,
  lang: languageOf(n),
  subscribed: 1 as const,
})

const device = (n: number, { token, kind }: Kind) => ({
  token_digest: identityDigest(deviceKeys({ token: token as DeviceToken, kind }).identity),
  token: token as DeviceToken,
  kind,
  attached_at: 0 as Instant,
  epoch: 0,
  ...person(ownerOf(n)),
})

/** Fills a database whose schema is current with subscribed users and their devices: of FCM unless `kindOf` says otherwise. */
export const fillDevicesIn = async (
  engine: Database,
  count: number,
  kindOf: (n: number) => Kind | undefined = fcm,
): Promise<void> => {
  for (let begin = 0; begin < count; begin += TRANSACTION)
    await done(
      engine.write(async (db) => {
        const end = Math.min(count, begin + TRANSACTION)
        for (let at = begin; at < end; at += STATEMENT) {
          const block = Array.from({ length: Math.min(STATEMENT, end - at) }, (_, n) => at + n)
          const people = block.filter((n) => ownerOf(n) === n).map(person)
          await db.insertInto('person').values(people).execute()
          const devices = block.map((n) => device(n, kindOf(n) ?? fcm(n)))
          await db.insertInto('device').values(devices).execute()
        }
        return { _tag: 'Right', right: undefined }
      }),
    )
}

/** As {@link fillDevicesIn}, in a SQLite file. */
export const fillDevices = async (
  file: string,
  count: number,
  kindOf?: (n: number) => Kind | undefined,
): Promise<void> => {
  const { engine } = await openStore(file)
  await fillDevicesIn(engine, count, kindOf)
  await engine.close()
}
