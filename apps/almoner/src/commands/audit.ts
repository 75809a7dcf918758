import { decode, type Instant } from '@almoner/domain'
import { ACTIONS } from '@almoner/domain/access'
import { presentValue } from '@almoner/domain/content'
import type { AuditQuery, AuditRecord } from '@almoner/domain/history'
import type { MediaAddresses } from '@almoner/domain/media'
import { instant, LocalDate, startOfDay, type TimeZone, toRfc3339 } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Command } from '../cli/command.ts'
import { printBatches } from '../cli/print-batches.ts'
import { table } from '../cli/table.ts'
import { misused } from '../failure.ts'

interface AuditOptions {
  readonly since?: string
  readonly actor?: string
  readonly subject?: string
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** Reads a day, which begins in the time zone of the service, or an RFC 3339 time (K4). */
export const readTime = (text: string, zone: TimeZone): Instant => {
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
