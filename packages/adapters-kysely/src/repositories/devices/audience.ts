import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DeviceId, DeviceKind, Language } from '@almoner/domain'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/database.ts'

/** Devices counted at once, by the index alone: some milliseconds, during which nothing else runs. */
const HOP = 50_000

/** Before every device. */
export const NO_DEVICE = 0 as DeviceId

/** A device of a subscribed user. The text is that of its index's condition. */
export const isSubscribed = sql<SqlBool>`device.subscribed = 1`

/** The devices behind this one of a language's subscribed readers. */
const behind = (db: Db, lang: Language, after: DeviceId) =>
  db.selectFrom('device').where('lang', '=', lang).where(isSubscribed).where('id', '>', after)

interface Hop {
  readonly after: DeviceId
  /** The last of {@link HOP} devices; undefined when there are fewer. */
  readonly upto: DeviceId | undefined
}

async function* hops(db: Db, lang: Language): AsyncGenerator<Hop> {
  let after = NO_DEVICE
  for (;;) {
    const end = behind(db, lang, after)
      .select('id')
      .orderBy('id')
      .limit(1)
      .offset(HOP - 1)
    const upto = (await end.executeTakeFirst())?.id
    yield { after, upto }
    if (upto === undefined) return
    after = upto
    await nextTurn()
  }
}

/** How many devices a language's subscribed readers have, and the last of them. */
export const sizeOfAudience = async (
  db: Db,
  lang: Language,
): Promise<{ readonly size: number; readonly last: DeviceId }> => {
  let size = 0
  let last = NO_DEVICE
  for await (const { after, upto } of hops(db, lang)) {
    const rest = behind(db, lang, after).select(({ fn }) => [
      fn.countAll<number>().as('size'),
      fn.max('id').as('last'),
    ])
    const part = upto === undefined ? await rest.executeTakeFirstOrThrow() : { size: HOP, last: upto }
    size += part.size
    last = part.last ?? last
  }
  return { size, last }
}

/** How many devices of each kind a language's subscribed readers have. */
export const audienceOf = async (db: Db, lang: Language): Promise<Readonly<Record<DeviceKind, number>>> => {
  const counts: Record<DeviceKind, number> = { fcm: 0, apns: 0, webpush: 0, unroutable: 0 }
  for await (const { after, upto } of hops(db, lang)) {
    const found = await behind(db, lang, after)
      .$if(upto !== undefined, (query) => query.where('id', '<=', upto as DeviceId))
      .select(({ fn }) => [
        fn.countAll<number>().filterWhere('kind', '=', 'fcm').as('fcm'),
        fn.countAll<number>().filterWhere('kind', '=', 'apns').as('apns'),
        fn.countAll<number>().filterWhere('kind', '=', 'webpush').as('webpush'),
        fn.countAll<number>().filterWhere('kind', '=', 'unroutable').as('unroutable'),
      ])
      .executeTakeFirstOrThrow()
    counts.fcm += found.fcm
    counts.apns += found.apns
    counts.webpush += found.webpush
    counts.unroutable += found.unroutable
  }
  return counts
}
