import { LANGUAGES, OUTCOMES, SHELVES, STATUSES, type Tally } from '@almoner/domain'
import { bar } from './bar.ts'
import type { DayOfDeliveries, StatsDocument } from './document.ts'
import { figureTable, shownNumber } from './figure-table.ts'

/** Columns of a terminal. */
const WIDTH = 80

const ended = (tally: Tally): number => OUTCOMES.reduce((sum, outcome) => sum + tally[outcome], 0)

/** Lines with a bar at the end of each that stands for a number; the first line is the head. */
const withBars = (
  [head = '', ...lines]: ReadonlyArray<string>,
  counts: ReadonlyArray<number>,
): ReadonlyArray<string> => {
  const room = WIDTH - head.length - 2
  const greatest = Math.max(...counts)
  return [head, ...lines.map((line, n) => `${line}  ${bar(counts[n] ?? 0, greatest, room)}`.trimEnd())]
}

const items = ({ items: counted }: StatsDocument): ReadonlyArray<string> =>
  figureTable(
    ['ITEMS', ...STATUSES.map((status) => status.toUpperCase()), 'ALL'],
    SHELVES.flatMap((shelf) =>
      LANGUAGES.map((lang) => {
        const counts = STATUSES.map(
          (status) =>
            counted.find((one) => one.shelf === shelf && one.status === status && one.lang === lang)?.count ??
            0,
        )
        return [`${shelf}, ${lang}`, ...counts, counts.reduce((sum, count) => sum + count, 0)] as const
      }),
    ),
  )

const devices = ({ devices: counted }: StatsDocument): ReadonlyArray<string> =>
  withBars(
    figureTable(
      ['DEVICES', 'ALL'],
      counted.map(({ kind, count }) => [kind, count]),
    ),
    counted.map(({ count }) => count),
  )

const rowOf = (name: string, tally: Tally) =>
  [name, ...OUTCOMES.map((outcome) => tally[outcome])] as [string, ...Array<number>]

const deliveries = ({ deliveries: { days, total } }: StatsDocument): ReadonlyArray<string> =>
  withBars(
    figureTable(
      ['DELIVERIES', ...OUTCOMES.map((outcome) => outcome.toUpperCase())],
      [...days.map((one: DayOfDeliveries) => rowOf(one.day, one)), rowOf('all', total)],
    ),
    days.map(ended),
  )

/** A service in numbers for a person: tables, and bars for what can be compared. No line is longer than 80 characters. */
export const statsText = (document: StatsDocument): string => {
  const { timeZone, days, total } = document.deliveries
  const last = `${shownNumber(ended(total))} turns of devices ended in ${days.length} days, counted in ${timeZone}.`
  return [items(document), devices(document), [...deliveries(document), last]]
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}
