import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fillFinding } from '../../bench/finding-dataset.ts'
import { openStore } from '../../bench/store.ts'
import { fillDevicesIn } from '../fill-devices.ts'

/** A day in milliseconds: rows of one table are a second apart, and belong to the last weeks. */
const [SECOND, BEGIN] = [1000, 1_760_000_000_000]

const numbers = (count: number) =>
  `with recursive numbers (n) as (select 0 union all select n + 1 from numbers limit ${count})`

/** One post in five waits, one in four is for donors, one in two is French; all are of one author. */
const feed = (count: number) => [
  `insert into feed_item (id, status, restricted, lang, title, description, created_at, updated_at, revision, item_type, link)
    ${numbers(count)}
    select printf('0190aaaa-0000-7000-9000-%012x', n), iif(n % 5 = 0, 'Draft', 'Live'), n % 4 = 0, iif(n % 2 = 0, 'fr', 'en'),
      'A post', 'What was given', ${BEGIN} + n * ${SECOND}, ${BEGIN}, 1, iif(n % 3 = 0, 'photo', 'link'), 'https://example.org/'
    from numbers`,
  `insert into feed_author (item_id, client_id, email, posted_at)
    select id, 'app', 'author@example.org', created_at from feed_item`,
]

/** Three records in four expire; each fourth is of another actor. */
const audit = (count: number) => [
  `insert into audit_record (at, actor_kind, actor_id, action, subject_kind, subject_id, number, is_latest, changes, state)
    ${numbers(count)}
    select ${BEGIN} + n * ${SECOND}, 'client', iif(n % 4 = 0, 'other', 'app'), iif(n % 1000 = 0, 'create-item', 'update-item'),
      'library', printf('0190aaaa-0000-7000-8000-%012x', n / 4), n % 4 + 1, n % 4 = 3,
      json_array(json_object('field', 'itemDescription', 'before', hex(zeroblob(200)), 'after', hex(zeroblob(200)))),
      json_object('itemDescription', hex(zeroblob(200)))
    from numbers`,
]

const sending = (count: number) => [
  `insert into notification (id, lang, title, due, resource_id, started)
    ${numbers(count)}
    select printf('0190aaaa-0000-7000-a000-%012x', n), iif(n % 2 = 0, 'fr', 'en'), 'News', ${BEGIN} + n * ${SECOND}, null, 1
    from numbers`,
  `insert into delivery (notification_id, sending, lang, epoch, started_at, ends_at, finished_at, recipients, delivered, failed,
      dead, skipped, last_device, claimed_upto, next_batch, last_turn)
    select id, 0, lang, 0, due, due, due + 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0 from notification`,
  `insert into ledger (delivery_id, device_id, outcome, at)
    select 1, id, 'delivered', ${BEGIN} + id from device`,
  `insert into dead_device (token_digest, token, email, kind, attached_at, detached_at)
    ${numbers(count)}
    select printf('%064x', n), 'dead:' || n, printf('dead-%d@example.org', n), 'fcm', 0, ${BEGIN} + n from numbers`,
]

const rest = (count: number) => [
  `insert into client (id, name, scopes, roles, disabled) values ('app', '', 'user', '', 0)`,
  `insert into access_token (digest, client_id, scopes, expires_at)
    ${numbers(count)}
    select printf('%064x', n), 'app', 'user', ${BEGIN} + n from numbers`,
  `insert into idempotency_key (client_id, key, digest, used_at, status, body)
    ${numbers(count)}
    select 'app', printf('%036x', n), printf('%064x', n), ${BEGIN} + n, 200, hex(zeroblob(200)) from numbers`,
]

/** Fills the other tables by SQL alone, without the index of words. */
export const fillTables = (file: string, count: number): void => {
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = off')
  for (const statement of [...feed(count), ...audit(count), ...sending(count), ...rest(count)])
    database.exec(`begin; ${statement}; commit`)
  database.close()
}

/** Makes a database with a million rows in each large table, unless the folder has one. Returns its path. */
export const filledDatabase = async (folder: string, count: number): Promise<string> => {
  const file = join(folder, 'almoner.db')
  if (existsSync(file)) return file
  const { engine } = await openStore(file)
  await fillFinding(engine, count)
  await fillDevicesIn(engine, count)
  await engine.close()
  fillTables(file, count)
  return file
}
