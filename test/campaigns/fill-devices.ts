import { createHash } from 'node:crypto'
import { openStore } from '../../bench/store.ts'
import type { DeviceId, DeviceToken, Email, Instant, Language } from '../../packages/domain/src/index.ts'

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

const device = (n: number) => {
  const token = `fcm:${createHash('sha256').update(String(n)).digest('base64url')}${n}` as DeviceToken
  return {
    token_digest: createHash('sha256').update(token).digest('hex'),
    token,
    kind: 'fcm' as const,
    attached_at: 0 as Instant,
    epoch: 0,
    ...person(ownerOf(n)),
  }
}

const numbers = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from }, (_, n) => from + n)

/** Fills a SQLite file with subscribed readers and their devices; gives each device's language. */
export const fillDevices = async (file: string, count: number): Promise<ReadonlyMap<DeviceId, Language>> => {
  const { engine } = await openStore(file)
  const languages = new Map<DeviceId, Language>()
  for (let begin = 0; begin < count; begin += TRANSACTION)
    await engine.write(async (db) => {
      const end = Math.min(count, begin + TRANSACTION)
      for (let at = begin; at < end; at += STATEMENT) {
        const block = numbers(at, Math.min(at + STATEMENT, end))
        const people = block.filter((n) => ownerOf(n) === n).map(person)
        await db.insertInto('person').values(people).execute()
        const rows = db.insertInto('device').values(block.map(device)).returning(['id', 'lang'])
        for (const { id, lang } of await rows.execute()) languages.set(id, lang)
      }
      return { _tag: 'Right', right: undefined }
    })
  await engine.close()
  return languages
}
