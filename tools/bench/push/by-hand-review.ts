// A review as an expert writes it by hand for one process: it leaves the same durable rows as the service, on the same tables and indexes, without
// retries, several processes and providers that fail.
import { randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'
import type { Post } from './by-hand.ts'
import { MESSAGE } from './pushes.ts'

/** Devices of a batch. */
const BATCH = 500
/** Milliseconds for which results are collected. */
const GATHERING = 5
/** Milliseconds. */
const [LEASE, LIFE] = [30_000, 86_400_000]

interface Device {
  readonly id: number
  readonly token: string
}

/** Recipients of a batch without a recorded result. */
interface Batch {
  readonly number: number
  left: number
}

const prepare = (db: Database.Database) => {
  const inserts = new Map<number, Database.Statement>()
  return {
    notify: db.prepare(
      `insert into notification (id, lang, title, subtitle, description, due, started) values (?, ?, ?, ?, ?, ?, 1)`,
    ),
    epoch: db
      .prepare<[], number>('update epoch set value = value + 1 where id = 1 returning value - 1')
      .pluck(),
    audience: db.prepare<[lang: string], { readonly size: number; readonly last: number }>(
      'select count(*) as size, max(id) as last from device where lang = ? and subscribed = 1',
    ),
    start: db.prepare(
      `insert into delivery (notification_id, sending, lang, epoch, started_at, ends_at, recipients, delivered, failed, dead, skipped,
         last_device, claimed_upto, next_batch, last_turn) values (?, 1, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?, 0, 0, 0)`,
    ),
    devices: db.prepare<[after: number, lang: string], Device>(
      `select id, token from device where id > ? and lang = ? and subscribed = 1 order by id limit ${BATCH}`,
    ),
    claim: db.prepare(
      `insert into batch (delivery_id, number, after_device, upto_device, remaining, fence, lease_until, closed) values (?, ?, ?, ?, ?, 1, ?, 0)`,
    ),
    claimed: db.prepare(
      'update delivery set claimed_upto = ?, next_batch = ?, last_turn = last_turn + 1 where id = ?',
    ),
    ledger: (rows: number) => {
      const values = Array.from({ length: rows }, () => "(?, ?, 'delivered', ?)").join(', ')
      const found =
        inserts.get(rows) ??
        db.prepare(`insert into ledger (delivery_id, device_id, outcome, at) values ${values}`)
      inserts.set(rows, found)
      return found
    },
    tally: db.prepare('update delivery set delivered = delivered + ? where id = ?'),
    batch: db.prepare(
      'update batch set remaining = ?, lease_until = ?, closed = ? where delivery_id = ? and number = ?',
    ),
    origin: db.prepare(
      "update provider set answers = answers + ?, accepted_at = ?, accepted_with = ? where name = 'fcm'",
    ),
    finish: db.prepare('update delivery set sending = 0, finished_at = ? where id = ?'),
  }
}

/** Opens a review on a database of the service. The returned function sends one notification to the readers of a language, and resolves to their number. */
export const openReviewByHand = (
  file: string,
  post: Post,
  window: number,
): ((lang: string) => Promise<number>) => {
  const db = new Database(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -64000')
  const sql = prepare(db)

  const start = db.transaction((lang: string) => {
    const [id, now] = [randomUUID(), Date.now()]
    sql.notify.run(id, lang, MESSAGE.title, MESSAGE.subtitle, MESSAGE.body, now)
    const { size, last } = sql.audience.get(lang) ?? { size: 0, last: 0 }
    const epoch = sql.epoch.get()
    return Number(sql.start.run(id, lang, epoch, now, now + LIFE, size, last).lastInsertRowid)
  })

  const claim = db.transaction((delivery: number, number: number, after: number, lang: string) => {
    const devices = sql.devices.all(after, lang)
    const last = devices.at(-1)
    if (last === undefined) return []
    sql.claim.run(delivery, number, after, last.id, devices.length, Date.now() + LEASE)
    sql.claimed.run(last.id, number + 1, delivery)
    return devices
  })

  const record = db.transaction(
    (delivery: number, ids: ReadonlyArray<number>, touched: ReadonlySet<Batch>) => {
      const now = Date.now()
      sql.ledger(ids.length).run(...ids.flatMap((id) => [delivery, id, now]))
      sql.tally.run(ids.length, delivery)
      for (const { left, number } of touched)
        sql.batch.run(left, left === 0 ? null : now + LEASE, left === 0 ? 1 : 0, delivery, number)
      sql.origin.run(ids.length, now, 'credentials')
    },
  )

  return (lang) => {
    const delivery = start.immediate(lang)
    let queue: ReadonlyArray<readonly [Device, Batch]> = []
    let [at, upto, batches, inFlight, sent] = [0, 0, 0, 0, 0]
    let ended: Array<number> = []
    let touched = new Set<Batch>()
    let timer: NodeJS.Timeout | undefined
    const { promise, resolve, reject } = Promise.withResolvers<number>()

    const flush = (): void => {
      clearTimeout(timer)
      timer = undefined
      record.immediate(delivery, ended, touched)
      inFlight -= ended.length
      sent += ended.length
      ended = []
      touched = new Set()
      fill()
    }

    const end = (device: Device, batch: Batch): void => {
      batch.left -= 1
      ended.push(device.id)
      touched.add(batch)
      if (ended.length >= window / 2) flush()
      else timer ??= setTimeout(flush, GATHERING)
    }

    const takeNext = (): readonly [Device, Batch] | undefined => {
      if (at === queue.length) {
        const devices = claim.immediate(delivery, batches, upto, lang)
        const batch = { number: batches, left: devices.length }
        queue = devices.map((device) => [device, batch])
        upto = devices.at(-1)?.id ?? upto
        at = 0
        batches += 1
      }
      const next = queue[at]
      if (next !== undefined) at += 1
      return next
    }

    const fill = (): void => {
      while (inFlight < window) {
        const next = takeNext()
        if (next === undefined) break
        const [device, batch] = next
        inFlight += 1
        post(device.id, device.token).then(() => end(device, batch), reject)
      }
      if (inFlight > 0) return
      sql.finish.run(Date.now(), delivery)
      resolve(sent)
    }

    fill()
    return promise
  }
}
