import { decode, type Instant } from '@almoner/domain'
import { ACTIONS } from '@almoner/domain/access'
import { presentValue, STATUSES } from '@almoner/domain/content'
import type { AuditQuery, AuditRecord } from '@almoner/domain/history'
import type { MediaAddresses } from '@almoner/domain/media'
import { OUTCOMES, type Tally } from '@almoner/domain/notifications'
import { readStatistics, type StatisticsReport } from '@almoner/domain/operations'
import { instant, LocalDate, startOfDay, type TimeZone, toRfc3339 } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Command, type CommandOutput, printBatches, table } from '../cli/command.ts'
import { openApiDocument, routeList } from '../composition/api.ts'
import { databaseFailure, MIGRATION_NAMES } from '../composition/database.ts'
import { unsentNote } from '../config/push.ts'
import { failed, fromDatabase, misused, orFail } from '../failure.ts'

const listed = (verb: 'applied' | 'pending', names: ReadonlyArray<string>): CommandOutput => ({
  text: names.length === 0 ? 'the schema is up to date' : names.map((name) => `${verb} ${name}`).join('\n'),
  json: { [verb]: names },
})

/** `migrate [--plan]`: applies pending migrations, or only lists them, and then creates no database. */
export const migrate: Command<{ readonly plan?: true }> = {
  usage: 'migrate',
  summary: "bring the database's schema up to date",
  options: [['--plan', 'only list the pending migrations']],
  async run({ options, service, progress }) {
    if (options.plan && !service.databaseExists()) return listed('pending', MIGRATION_NAMES)
    const { migrator } = await service.database()
    if (options.plan) return listed('pending', (await orFail(migrator.plan(), databaseFailure)).pending)
    const migration = migrator.migrate(
      (name, number, of) => progress(`applying ${name}, ${number} of ${of}`),
      () => progress('waiting for another process to migrate the database'),
    )
    return listed('applied', await orFail(migration, databaseFailure))
  },
}

export const vacuum: Command = {
  usage: 'maintenance vacuum',
  summary: 'shrink the SQLite file to its content',
  async run({ service }) {
    const { databaseFile, databaseExists } = service
    if (databaseFile === undefined)
      throw failed('vacuum is for SQLite: PostgreSQL does it by itself (autovacuum)')
    if (!databaseExists()) throw failed('there is no database where ALMONER_DATABASE says')
    const { before, after } = await databaseFile.vacuum()
    return { text: `the database has ${after} bytes, before ${before}`, json: { before, after } }
  },
}

interface AuditOptions {
  readonly since?: string
  readonly actor?: string
  readonly subject?: string
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** Reads a day, which begins in the time zone of the service, or an RFC 3339 time (K4). */
const readTime = (text: string, zone: TimeZone): Instant => {
  const day = decode(LocalDate)(text)
  if (E.isRight(day)) return startOfDay(day.right, zone)
  const time = RFC_3339.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw misused('--since must be a day such as 2026-05-01, or a time such as 2026-05-01T12:00:00Z')
  return instant(time)
}

const queryOf = ({ since, actor, subject }: AuditOptions, zone: TimeZone): AuditQuery => ({
  since: O.map((text: string) => readTime(text, zone))(O.fromNullable(since)),
  until: O.none,
  actor: O.fromNullable(actor),
  action: O.none,
  subject: O.fromNullable(subject),
})

const LONGEST_ACTION = Math.max(...ACTIONS.map(({ length }) => length))
const HEADS = ['TIME'.padEnd(toRfc3339(instant(0)).length), 'ACTION'.padEnd(LONGEST_ACTION), 'CHANGE']

const changeText = ({ actor, subject, changes }: AuditRecord): string => {
  const fields = changes.map(({ field }) => field).join(', ')
  // A set that is loaded as a whole has no id.
  const what = subject.id === '' ? subject.kind : `${subject.kind} ${subject.id}`
  return `${what} by ${actor.kind} ${actor.id}${fields === '' ? '' : `: ${fields}`}`
}

const rowOf = (record: AuditRecord) => [toRfc3339(record.at), record.action, changeText(record)]

const documentOf =
  (addresses: MediaAddresses) =>
  ({ at, actor, action, subject, number, changes }: AuditRecord) => ({
    at: toRfc3339(at),
    actor: { kind: actor.kind, id: actor.id },
    action,
    subject: { kind: subject.kind, id: subject.id },
    number: O.toNullable(number),
    changes: changes.map(({ field, before, after }) => ({
      field,
      before: presentValue(addresses)(field, before),
      after: presentValue(addresses)(field, after),
    })),
  })

/** `audit [--since TIME] [--actor ID] [--subject ID]`: lists the recorded changes, newest first (K4). */
export const listAudit: Command<AuditOptions> = {
  usage: 'audit',
  summary: 'list the recorded changes',
  options: [
    ['--since <time>', 'only changes from this day or RFC 3339 time on'],
    ['--actor <id>', 'only changes by this client, person or command'],
    ['--subject <id>', 'only changes of this item or other subject'],
  ],
  async run(call) {
    const { service, options } = call
    const query = queryOf(options, service.policy.timeZone)
    const { history } = await service.ports()
    const shown = {
      document: documentOf(service.address.mediaAddresses),
      table: (records: ReadonlyArray<AuditRecord>) => table(HEADS, records.map(rowOf)),
    }
    return printBatches(history.records(query), shown, call)
  },
}

const printOpenApi: Command = {
  usage: 'openapi',
  summary: 'print the OpenAPI document',
  async run({ service }) {
    const json = openApiDocument(service.address.baseUrl())
    return { text: JSON.stringify(json, null, 2), json }
  },
}

const printRoutes: Command = {
  usage: 'routes',
  summary: 'list the routes of the API',
  async run() {
    const json = routeList()
    const rows = json.map(({ method, path, scope, summary }) => [method, path, scope, summary])
    return { text: table(['METHOD', 'PATH', 'SCOPE', 'SUMMARY'], rows), json }
  },
}

export const API_COMMANDS: ReadonlyArray<Command> = [printRoutes, printOpenApi]

/** Columns of a terminal. */
const WIDTH = 80

/** Parts of a full block, from none to seven eighths. */
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Draws a bar in eighths of a character, as wide as the share of a number of the greatest one. Any number but 0 shows. */
export const bar = (count: number, greatest: number, width: number): string => {
  if (count === 0) return ''
  const eighths = Math.max(1, Math.round((count / greatest) * width * PARTS.length))
  return '█'.repeat(Math.floor(eighths / PARTS.length)) + PARTS[eighths % PARTS.length]
}

const shown = (count: number): string => count.toLocaleString('en')

type Row = readonly [name: string, counts: ReadonlyArray<number>]

const numbers = (heads: ReadonlyArray<string>, rows: ReadonlyArray<Row>): string =>
  table(
    heads,
    rows.map(([name, counts]) => [name, ...counts.map(shown)]),
    'numbers',
  )

/** Adds a bar to each line but the first, which is the head. */
const withBars = (text: string, counts: ReadonlyArray<number>): string => {
  const [head = '', ...lines] = text.split('\n')
  const room = WIDTH - head.length - 2
  const greatest = Math.max(...counts)
  const barred = lines.map((line, n) => `${line}  ${bar(counts[n] ?? 0, greatest, room)}`.trimEnd())
  return [head, ...barred].join('\n')
}

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((total, count) => total + count, 0)

const outcomes = (tally: Tally): ReadonlyArray<number> => OUTCOMES.map((outcome) => tally[outcome])

/** Formats a service in numbers for a person: tables, and bars for what can be compared. No line is longer than 80 characters. */
export const statsText = ({ items, devices, deliveries }: StatisticsReport): string => {
  const { timeZone, days, total } = deliveries
  const upper = (names: ReadonlyArray<string>) => names.map((name) => name.toUpperCase())
  const rowsOfItems = Map.groupBy(items, ({ contentType, lang }) => `${contentType}, ${lang}`)
  const itemTable = numbers(
    ['ITEMS', ...upper(STATUSES), 'ALL'],
    [...rowsOfItems].map(([name, row]) => {
      const counts = row.map(({ count }) => count)
      return [name, [...counts, sum(counts)]]
    }),
  )
  const deviceTable = numbers(
    ['DEVICES', 'ALL'],
    devices.map(({ kind, count }) => [kind, [count]]),
  )
  const deliveryTable = numbers(
    ['DELIVERIES', ...upper(OUTCOMES)],
    [...days.map((day): Row => [day.day, outcomes(day)]), ['all', outcomes(total)]],
  )
  const ended = shown(sum(outcomes(total)))
  const last = `${ended} devices were done in ${days.length} days, counted in ${timeZone}.`
  return [
    itemTable,
    withBars(
      deviceTable,
      devices.map(({ count }) => count),
    ),
    `${withBars(
      deliveryTable,
      days.map((day) => sum(outcomes(day))),
    )}\n${last}`,
  ].join('\n\n')
}

/** `stats`: content by state and language, devices by kind, and the outcomes of the deliveries of the last 30 days, by day (B8). */
export const showStats: Command = {
  usage: 'stats',
  summary: 'count content, devices and the deliveries of 30 days',
  async run({ service, settings: { timeZone, push }, progress }) {
    const ports = await service.ports()
    progress('counting')
    const json = await fromDatabase(readStatistics(ports, { timeZone })())
    const note = unsentNote(push)
    const notSent = note === undefined ? '' : `\nALMONER_PUSH=${push.kind}: ${note}.`
    return { text: `${statsText(json)}${notSent}`, json }
  },
}
