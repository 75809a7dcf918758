// How long the start of a notification takes with a topic, compared with none: one person in ten follows labels, half of them the topic (G12).
// Usage: node tools/stress/topics.ts [--database postgres] [--devices 1000000] [--rounds 9]
import type { Label } from '@almoner/domain/content'
import type { Email, LabelId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { done, SAMPLE_MOMENT, sampleNotification } from '../../packages/testkit/src/contracts/index.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { migrate, newDatabase } from './database.ts'
import { fillDevicesIn } from './fill-devices.ts'

const given = options({ database: 'sqlite', devices: 1_000_000, rounds: 9 })

/** The greatest ratio of both times. */
const MOST = 1.5

const database = await newDatabase(given.database, folder)
const engine = await database.open()
await migrate(engine)
const { deliveries, labels, notifications } = makeStore(engine)
const [water, health] = ['water', 'health'].map(
  (id): Label => ({ labelId: id as LabelId, en: id as Label['en'], fr: id as Label['fr'] }),
) as [Label, Label]
await done(labels.replaceAll([water, health]))
progress(`${given.devices} devices`)
await fillDevicesIn(engine, given.devices)

/** Devices of a transaction. */
const SOME = 1000

/** Makes the people of every twentieth device follow a label; their first device is listed by it. */
const follow = async ({ labelId }: Label, rest: number): Promise<void> => {
  const all = Array.from({ length: given.devices / 20 }, (_, n) => 20 * n + rest)
  for (let at = 0; at < all.length; at += SOME)
    await done(
      engine.write(async (db) => {
        const emails = all.slice(at, at + SOME).map((n) => `reader-${n}@example.org` as Email)
        const topics = JSON.stringify([labelId])
        await db.updateTable('person').set({ topics }).where('email', 'in', emails).execute()
        const devices = await db
          .updateTable('device')
          .set({ follows_all: 0 })
          .where('email', 'in', emails)
          .returning(['id', 'lang'])
          .execute()
        const rows = devices.map(({ id, lang }) => ({ label_id: labelId, lang, device_id: id }))
        await db.insertInto('follow').values(rows).execute()
        return E.right(undefined)
      }),
    )
}
await follow(water, 0)
await follow(health, 10)

// As autovacuum does after such a change: until then each start visits the pages of the index and of the table.
await database.cluster?.ask('vacuum analyze', 'almoner')

let made = 0
/** Returns the milliseconds of a start. */
const start = async (labelId: O.Option<LabelId>): Promise<number> => {
  made += 1
  await done(notifications.add(sampleNotification(made, { labelId })))
  const begun = performance.now()
  await done(deliveries.start(SAMPLE_MOMENT, 86_400_000))
  return performance.now() - begun
}

const times = { plain: [] as Array<number>, topic: [] as Array<number> }
for (let round = 0; round < given.rounds; round += 1) {
  times.plain.push(await start(O.none))
  times.topic.push(await start(O.some(water.labelId)))
  progress(`round ${round + 1} of ${given.rounds}`)
}
const median = (all: ReadonlyArray<number>): number => [...all].sort((a, b) => a - b)[all.length >> 1] ?? 0
const [plain, topic] = [median(times.plain), median(times.topic)]
check(topic / plain <= MOST, `a start with a topic takes ${(topic / plain).toFixed(2)} times as long`)
await engine.close()
await database.stop()
report({
  plainMs: Math.round(10 * plain) / 10,
  topicMs: Math.round(10 * topic) / 10,
  ratio: Math.round((100 * topic) / plain) / 100,
})
