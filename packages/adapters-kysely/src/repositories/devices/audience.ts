import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DeviceId, type DeviceKind, PROVIDERS } from '@almoner/domain/people'
import type { Language } from '@almoner/domain/values'
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

const KINDS = [...PROVIDERS, 'unroutable'] as const

/**
 * How many devices of each kind a language's subscribed readers have. Kinds that a host has added are counted here, because grouping would sort
 * the devices.
 */
export const audienceOf = async (db: Db, lang: Language): Promise<Readonly<Record<DeviceKind, number>>> => {
  const counts: Record<DeviceKind, number> = { fcm: 0, apns: 0, webpush: 0, unroutable: 0 }
  for await (const { after, upto } of hops(db, lang)) {
    const devices = behind(db, lang, after).$if(upto !== undefined, (query) =>
      query.where('id', '<=', upto as DeviceId),
    )
    const { all, ...known } = await devices
      .select(({ fn }) => [
        fn.countAll<number>().as('all'),
        ...KINDS.map((kind) => fn.countAll<number>().filterWhere('kind', '=', kind).as(kind)),
      ])
      .executeTakeFirstOrThrow()
    for (const kind of KINDS) counts[kind] += known[kind]
    if (all === KINDS.reduce((sum, kind) => sum + known[kind], 0)) continue
    for (const { kind } of await devices.select('kind').where('kind', 'not in', KINDS).execute())
      counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}
