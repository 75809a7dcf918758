import {
  done,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleFeedItem,
  sampleImage,
  sampleLibraryItem,
  sampleNotification,
} from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { storeOf } from './store-of.ts'

// Constraints that the tables enforce for every program.
t.test('C6, C7, D5: tables reject the rows that the domain’s types exclude', async (t) => {
  const store = await storeOf(`${t.testdir()}/almoner.db`)
  const [library, feed] = [sampleLibraryItem(1), sampleFeedItem(1)]
  await done(store.libraryItems.add({ item: library, linksToImages: [] }))
  await done(store.feedItems.add({ item: feed, linksToImages: [] }))
  const run = (statement: string) =>
    done(store.database.write(async (db) => E.right(await sql.raw(statement).execute(db))))
  const refused = (name: string, statement: string, reason: RegExp) =>
    t.test(name, (t) => t.rejects(run(statement), reason))

  const check = /CHECK constraint/
  await refused('a Live library item without images', `update library_item set status = 'Live'`, check)
  await refused(
    'a Live library item with its cover alone',
    `update library_item set status = 'Live', cover_url = link`,
    check,
  )
  await refused(
    'one image that is both stored and linked',
    `update library_item set cover_url = link, cover_name = 'a'`,
    check,
  )
  await refused('a link post without its link', 'update feed_item set link = null', check)
  await refused('a vlink post without its vlink', `update feed_item set item_type = 'vlink'`, check)
  await refused(
    'a Live photo that shows nothing',
    `update feed_item set status = 'Live', item_type = 'photo', link = null`,
    check,
  )
  await refused('a status of another name', `update feed_item set status = 'live'`, check)
  await refused('a restriction other than 0 or 1', 'update feed_item set restricted = 2', check)
  await refused('text for a number', `update feed_item set created_at = 'now'`, /cannot store TEXT/)

  const image = sampleImage(1)
  const use = { item: library, storesImages: [image], displaysImages: [], linksToImages: [image.name] }
  await done(store.libraryItems.change<never>(library.id, () => E.right(use)))
  await refused('forgetting an image that an item holds', 'delete from media', /FOREIGN KEY/)
  await refused(
    'a token of no client',
    `insert into access_token values ('0', 'other', '', 0, 0, null)`,
    /FOREIGN KEY/,
  )
  await store.close()
})

t.test('F4, G5: tables reject impossible users, devices and deliveries too', async (t) => {
  const store = await storeOf(`${t.testdir()}/almoner.db`)
  await done(store.devices.attach(sampleDevice(1)))
  await done(store.notifications.add(sampleNotification(1)))
  await done(store.deliveries.start(SAMPLE_MOMENT, 1))
  const run = (statement: string) =>
    done(store.database.write(async (db) => E.right(await sql.raw(statement).execute(db))))
  const refused = (name: string, statement: string, reason: RegExp) =>
    t.test(name, (t) => t.rejects(run(statement), reason))

  const check = /CHECK constraint/
  const again =
    'select null, token_digest, token, email, kind, attached_at, epoch, lang, subscribed, follows_all from device'
  await refused('a device without a person', `update device set email = 'unknown@example.org'`, /FOREIGN KEY/)
  await refused('a token that is attached twice', `insert into device ${again}`, /UNIQUE/)
  await refused('a second epoch row', 'insert into epoch values (2, 1, 1)', check)
  await refused(
    'a preference that ended before it began',
    `insert into former_preference select email, 2, 2, lang, topics from person`,
    check,
  )
  await refused(
    'a mark of an unknown person',
    `insert into seen_mark select id, 'unknown@example.org', 1 from delivery`,
    /FOREIGN KEY/,
  )
  await refused('an undated notification that was started', 'update notification set due = -1', check)
  await refused('a delivery that is sent and finished', 'update delivery set finished_at = 1', check)
  await refused(
    'a delivery that is sent without a notification',
    'update delivery set notification_id = null',
    check,
  )
  await refused('more outcomes than recipients', 'update delivery set dead = 1, failed = 1', check)
  const outcome = `insert into ledger select id, 1, 'delivered', 1 from delivery`
  await run(outcome)
  await refused('two outcomes of one device', outcome.replace('delivered', 'failed'), /UNIQUE/)
  await refused(
    'an outcome of no delivery',
    `insert into ledger values (99, 1, 'delivered', 1)`,
    /FOREIGN KEY/,
  )
  await store.close()
})
