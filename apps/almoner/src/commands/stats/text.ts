import { STATUSES } from '@almoner/domain/content'
import { OUTCOMES, type Tally } from '@almoner/domain/notifications'
import type { StatisticsReport } from '@almoner/domain/operations'
import { table } from '../../cli/table.ts'

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
