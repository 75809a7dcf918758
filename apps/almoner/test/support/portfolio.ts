import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PortfolioContent } from '@almoner/domain/portfolio'
import { done } from '@almoner/testkit/contracts'
import type { Ended, Variables } from './almoner.ts'
import { DEFAULT_DATABASE, onStore } from './database.ts'
import { inProcess } from './in-process.ts'

type Row = Readonly<Record<string, unknown>>

/** The tables of a portfolio's files. */
export type Tables = Readonly<Record<string, ReadonlyArray<Row>>>

/** An SVG of a size. */
export const svg = (width: number, height: number, colour = '#1F4E79'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${colour}"/></svg>`

export const SECTORS: ReadonlyArray<Row> = [
  { sectorId: 'health', en: 'Health', fr: 'Santé', logo: 'sector.svg' },
  { sectorId: 'water', en: 'Water', fr: 'Eau', logo: 'sector.svg' },
]

export const organization = (id: string, over: Row = {}): Row => ({
  id,
  name: `Organization ${id}`,
  since: 2016,
  founded: 1999,
  website: 'https://example.org/',
  sectors: 'health water',
  logo: 'logo.svg',
  visual: 'visual.svg',
  ...over,
})

/** A portfolio without a fault or a gap. */
export const TABLES: Tables = {
  sectors: SECTORS,
  organizations: [organization('acme'), organization('zenith', { since: 2018, sectors: '' })],
  introductions: ['acme', 'zenith'].flatMap((id) =>
    ['en', 'fr'].map((lang) => ({ id, lang, text: `About ${id}` })),
  ),
  summaries: ['acme', 'zenith'].flatMap((id) =>
    ['en', 'fr'].map((lang) => ({ id, lang, text: 'One, "two"\nthree', highlight: '"two"' })),
  ),
  programs: ['en', 'fr'].map((lang) => ({
    id: 'acme',
    lang,
    programTitle: 'Wells',
    programDescription: 'Digging',
  })),
  challenges: ['en', 'fr'].map((lang) => ({
    organization: 'acme',
    id: 7,
    lang,
    text: 'Far away',
    highlight: 'away',
  })),
  datasets: [
    { id: 'acme', year: 2016, beneficiaries: 10, staffHeadcount: 2, budget: 3000, budgetCurrency: 'EUR' },
  ],
}

const cell = (value: unknown): string => {
  const text = String(value ?? '')
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A table as CSV, one line a row but where a cell breaks lines. */
export const csv = (rows: ReadonlyArray<Row>): string => {
  const head = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [head, ...rows.map((row) => head.map((name) => row[name]))]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('')
}

/** A table as JSON, one line a row: the n-th row stands on the line n + 2. */
export const json = (rows: ReadonlyArray<Row>): string =>
  `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`

const WRITERS = { json, csv }

/** Writes the images that the samples name. */
export const writeImages = (folder: string): void => {
  for (const kind of ['logo', 'visual']) mkdirSync(join(folder, kind), { recursive: true })
  writeFileSync(join(folder, 'logo', 'sector.svg'), svg(100, 100))
  writeFileSync(join(folder, 'logo', 'logo.svg'), svg(100, 100, '#C00'))
  writeFileSync(join(folder, 'visual', 'visual.svg'), svg(1200, 600))
}

/** Writes a portfolio as a folder, and gives its path. */
export const writeFolder = (
  folder: string,
  tables: Tables = TABLES,
  form: keyof typeof WRITERS = 'json',
): string => {
  const path = join(folder, 'portfolio')
  writeImages(path)
  writeFileSync(join(path, 'portfolio.json'), '{"name": "Our portfolio"}')
  for (const [name, rows] of Object.entries(tables))
    writeFileSync(join(path, `${name}.${form}`), WRITERS[form](rows))
  return path
}

const places = (folder: string): Variables => ({
  ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`,
  ALMONER_MEDIA: `file:${join(folder, 'data', 'media')}`,
})

/** Runs a command on the database and the media of a folder, in this process. */
export const command = (folder: string, ...args: ReadonlyArray<string>): Promise<Ended> =>
  inProcess(args, places(folder))

/** Runs it on a terminal. */
export const watchedCommand = (folder: string, ...args: ReadonlyArray<string>): Promise<Ended> =>
  inProcess(args, places(folder), true)

/** The portfolio that the database in a folder holds. */
export const contentOf = (folder: string): Promise<PortfolioContent> =>
  onStore(folder, ({ portfolio }) => done(portfolio.content()))

/** The files of one kind that are stored, without what their names owe to their content. */
export const stored = (folder: string, kind: string): ReadonlyArray<string> =>
  readdirSync(join(folder, 'data', 'media', 'portfolio', kind))
    .map((name) => name.replace(/\.[0-9a-f]{16}\./, '.'))
    .sort()
