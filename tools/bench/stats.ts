// What `almoner stats` and a look at /metrics cost where there is much: node tools/bench/stats.ts [rows]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import Database from 'better-sqlite3'
import { done } from '../../packages/domain/contracts/index.ts'
import { type Instant, instant, lastDays, UTC } from '../../packages/domain/src/index.ts'
import { fillItemsIn } from './fill.ts'
import { openStore } from './store.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const ITEMS = Math.floor(ROWS / 10)
const NOW = instant(Date.UTC(2026, 4, 31, 12))
const DAY = 86_400_000

const folder = mkdtempSync(join(tmpdir(), 'almoner-stats-'))
const { engine, statistics, deliveries } = await openStore(join(folder, 'almoner.db'))

const write = (...statements: ReadonlyArray<string>): void => {
  const database = new Database(join(folder, 'almoner.db'))
  for (const statement of statements) database.exec(statement)
  database.close()
}

const numbers = (most: number) =>
  `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${most})`

const fillDevices = () =>
  write(
    `${numbers(ROWS)} insert into person select 'reader-' || n || '@example.org', 'en', 1 from number`,
    `${numbers(ROWS)} insert into device select n, hex(randomblob(32)), 'fcm:' || hex(randomblob(80)),
      'reader-' || n || '@example.org', case n % 3 when 0 then 'apns' else 'fcm' end, 0, 1, 'en', 1 from number`,
  )

const notification = (n: number) =>
  `insert into notification values ('n${n}', 'en', 'Title', null, null, ${NOW - DAY}, null, 1)`

/** A delivery to every device, of which one in `late` was served a day after it began. */
const fillDelivery = (n: number, late: number, began: Instant, finished: Instant) =>
  write(
    notification(n),
    `insert into delivery values (${n}, 'n${n}', 0, 'en', 1, ${began}, ${finished}, ${finished},
      ${ROWS}, ${ROWS}, 0, 0, 0, ${ROWS}, ${ROWS}, 1, 1)`,
    `${numbers(ROWS)} insert into ledger select ${n}, n, 'delivered',
      ${began} + case when n % ${late} = 0 then ${DAY} else 1 end from number`,
  )

/** One that is being sent, all of whose devices wait for a retry. */
const fillRetries = (n: number) =>
  write(
    notification(n),
    `insert into delivery values (${n}, 'n${n}', 1, 'en', 1, ${NOW - DAY}, ${NOW + DAY}, null,
      ${ROWS}, 0, 0, 0, 0, ${ROWS}, ${ROWS}, 1, 1)`,
    `${numbers(ROWS)} insert into retry select ${n}, n, 'reader-' || n || '@example.org', 1, ${NOW}, null, null from number`,
  )

const median = async (times: number, work: () => Promise<unknown>): Promise<string> => {
  const taken: Array<number> = []
  for (let n = 0; n < times; n += 1) {
    const begun = performance.now()
    await work()
    taken.push(performance.now() - begun)
  }
  return `${(taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0).toFixed(1)} ms`
}

const days = lastDays(NOW, UTC, 30).map(({ begins }) => begins)
const survey = () => median(5, () => done(statistics.survey(days)))
const queue = () => median(9, () => done(deliveries.queue(NOW)))
const tell = (what: string, figure: string) => process.stdout.write(`${what.padEnd(68)} ${figure}\n`)

try {
  tell('stats, where there is nothing', await survey())
  await fillItemsIn(engine, ITEMS)
  tell(`stats, with ${ITEMS} publications`, await survey())
  fillDevices()
  tell(`stats, and ${ROWS} devices`, await survey())
  fillDelivery(1, 2, instant(NOW - 5 * DAY), instant(NOW - 5 * DAY + 1))
  tell(`stats, and ${ROWS} turns that ended on the day on which they began`, await survey())
  fillDelivery(2, 100, instant(NOW - 4 * DAY), instant(NOW - 3 * DAY))
  tell(`stats, and ${ROWS} of a delivery that went on over midnight`, await survey())
  tell('a look at what waits, with nothing', await queue())
  fillRetries(3)
  tell(`a look at what waits, with ${ROWS} retries`, await queue())
} finally {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
}
