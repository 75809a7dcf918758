import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import type { Compared, Effort } from './compare.ts'
import type { Bound } from './footprint.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/performance.md')

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(' | ')} |`

const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0 ? '' : [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')

const milliseconds = (time: number): string => `${time >= 10 ? time.toFixed(0) : time.toPrecision(2)} ms`

const HEADS = [
  'workload',
  'baseline',
  'requests a second: ours, baseline',
  'ratio',
  'processor time a request: ours, baseline',
  'ratio',
  'least',
]

/** Above 1 the service is faster. Processor time decides: a load generator, or another program of the machine, limits rates alone. */
const rowOf = ({ title, baseline, least, sides }: Compared): ReadonlyArray<string> => {
  const [ours, other] = sides
  const ratio = other.cpu / ours.cpu
  return [
    title,
    baseline,
    sides.map(({ perSecond }) => Math.round(perSecond).toLocaleString('en')).join(', '),
    (ours.perSecond / other.perSecond).toFixed(2),
    sides.map(({ cpu }) => milliseconds(cpu)).join(', '),
    `**${ratio.toFixed(2)}**`,
    least === undefined ? '' : `${least} ${ratio >= least ? 'met' : 'missed'}`,
  ]
}

const boundOf = ({ title, figure, most, unit }: Bound): ReadonlyArray<string> => [
  title,
  `${figure.toFixed(0)} ${unit}`,
  most === undefined ? '' : `${most} ${unit} ${figure <= most ? 'met' : 'missed'}`,
]

const versions = (): string => {
  const require = createRequire(import.meta.url)
  const of = (name: string): string => `${name} ${require(`${name}/package.json`).version}`
  return [`Node ${process.versions.node}`, ...['fastify', 'better-sqlite3', 'autocannon'].map(of)].join(', ')
}

const machine = (): string =>
  `${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}, load ${loadavg()[0]?.toFixed(1)} at the end`

/** What a run measured. */
export interface Report {
  readonly compared: ReadonlyArray<Compared>
  readonly bounds: ReadonlyArray<Bound>
}

/** Formats a report as Markdown: date, machine, tables. */
export const markdownOf = ({ compared, bounds }: Report, { seconds, rounds }: Effort): string =>
  [
    `Measured on ${new Date().toISOString().slice(0, 10)}; ${machine()}; ${versions()}. Medians of ${rounds} rounds of ${seconds} s by turns.`,
    table(HEADS, compared.map(rowOf)),
    table(['figure', '', 'most'], bounds.map(boundOf)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')

/** Replaces the text between a document's markers of a name. Throws when it has none. */
export const between = (document: string, name: string, text: string): string => {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the document has no markers of ${name}`)
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`
}

/** Rewrites a table of docs/performance.md. */
export const rewrite = async (name: string, text: string): Promise<void> =>
  writeFile(DOCUMENT, between(await readFile(DOCUMENT, 'utf8'), name, text))
