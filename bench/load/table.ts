import { type Bound, written } from './bound.ts'
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
  'the counterpart at 80 % of its own: requests a second, median, p99',
  'calm ones of the spells that count, of all: ours, beside',
]

const calmOf = ({ calm, counted, spells }: Latencies): string => `${calm} of ${counted} of ${spells}`

/** Reads' latencies. */
export const latencyTable = (lines: ReadonlyArray<Line>, most: number): string =>
  table(
    LATENCY_HEADS,
    lines.flatMap(({ title, paced }) =>
      paced === undefined
        ? []
        : [
            [
              title,
              whole(paced.ours.perSecond),
              time(paced.ours.p50),
              time(paced.ours.p99),
              `${most} ms ${paced.ours.p99 <= most ? 'met' : 'missed'}`,
              `${whole(paced.beside.perSecond)}, ${time(paced.beside.p50)}, ${time(paced.beside.p99)}`,
              `${calmOf(paced.ours)}, ${calmOf(paced.beside)}`,
            ],
          ],
    ),
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
