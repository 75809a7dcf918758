import { type Bound, written } from './bound.ts'
import type { PacedBoth } from './compare.ts'
import { percent } from './figures.ts'
import { hardware, versions } from './hardware.ts'
import type { Latencies } from './latencies.ts'
import { type Line, ratioOf } from './line.ts'
import type { Report } from './report.ts'
import type { Effort } from './rig.ts'

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(' | ')} |`

/** Nothing when there are no rows. */
const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0 ? '' : [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')

const whole = (figure: number): string => Math.round(figure).toLocaleString('en')
const share = (figure: number | undefined): string => (figure === undefined ? '' : percent(figure))
const time = (milliseconds: number): string => written(milliseconds, 'ms')

const bold = (text: string, isBold: boolean): string => (isBold ? `**${text}**` : text)

const lineRow = (line: Line): ReadonlyArray<string> => {
  const { title, beside, least, ours, counterpart } = line
  const { byRate, byCpu, isBounded, telling } = ratioOf(line)
  return [
    title,
    beside,
    `${whole(ours.perSecond)}, ${whole(counterpart.perSecond)}`,
    bold(byRate.toFixed(2), !isBounded),
    `${time(ours.cpu)}, ${time(counterpart.cpu)}`,
    bold(byCpu.toFixed(2), isBounded),
    ours.generator === undefined ? '' : `${share(ours.generator)}, ${share(counterpart.generator)}`,
    least === undefined ? '' : `${least} ${telling >= least ? 'met' : 'missed'}`,
  ]
}

const LINE_HEADS = [
  'workload',
  'beside',
  'requests a second: ours, beside',
  'ratio',
  'processor time a request: ours, beside',
  'ratio',
  'generator’s share of its core: ours, beside',
  'least',
]

/** The workloads beside their counterparts. The ratio that tells is bold. */
export const ratioTable = (lines: ReadonlyArray<Line>): string => table(LINE_HEADS, lines.map(lineRow))

const LATENCY_HEADS = [
  'at 80 % of the top rate',
  'requests a second',
  'median',
  'p99',
  'most',
  'p99 of all that count',
  'the counterpart at 80 % of its own: requests a second, median, p99, p99 of all',
  'calm ones of the spells that count, of all: ours, beside',
]

const calmOf = ({ calm, counted, spells }: Latencies): string => `${calm} of ${counted} of ${spells}`

const latencyRow = (title: string, { ours, beside }: PacedBoth, most: number): ReadonlyArray<string> => [
  title,
  whole(ours.perSecond),
  time(ours.p50),
  time(ours.p99),
  `${most} ms ${ours.p99 <= most ? 'met' : 'missed'}`,
  time(ours.p99OfAll),
  [whole(beside.perSecond), ...[beside.p50, beside.p99, beside.p99OfAll].map(time)].join(', '),
  `${calmOf(ours)}, ${calmOf(beside)}`,
]

/** Reads' latencies. */
export const latencyTable = (lines: ReadonlyArray<Line>, most: number): string =>
  table(
    LATENCY_HEADS,
    lines.flatMap(({ title, paced }) => (paced === undefined ? [] : [latencyRow(title, paced, most)])),
  )

/** Figures with a bound. */
export const boundTable = (bounds: ReadonlyArray<Bound>): string =>
  table(
    ['figure', '', 'most', 'measured how'],
    bounds.map(({ title, figure, most, unit, note }) => [
      title,
      written(figure, unit),
      `${most} ${unit} ${figure <= most ? 'met' : 'missed'}`,
      note,
    ]),
  )

/** Milliseconds that a read may take at most, in 99 cases of 100. */
const READ_MOST = 5

/** A report as Markdown: date, machine, tables. */
export const markdownOf = ({ lines, bounds }: Report, { seconds, rounds }: Effort): string =>
  [
    `Measured on ${new Date().toISOString().slice(0, 10)}; ${hardware()}; ${versions()}. Medians of ${rounds} runs of ${seconds} s by turns.`,
    ratioTable(lines),
    latencyTable(lines, READ_MOST),
    boundTable(bounds),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
