import { type ZipEntry, zipOf } from '../../packages/adapters-node/test/support/zip.ts'

/** A shape of hostile files, which are made when they are sent. */
export interface WorstFile {
  readonly name: string
  readonly files: () => ReadonlyArray<readonly [path: string, content: string | Uint8Array]>
}

const MIB = 1024 * 1024
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>'
const HEADS = {
  challenges: 'organization,id,lang,text,highlight\n',
  introductions: 'id,lang,text\n',
  summaries: 'id,lang,text,highlight\n',
  datasets: 'id,year,beneficiaries,staffHeadcount,budget,budgetCurrency\n',
}

const organization = (id: string, more: object = {}) => ({
  ...{ id, name: id, since: 2016, founded: 1999, logo: 'a.svg', visual: 'a.svg', ...more },
})

const GOOD: Readonly<Record<string, string>> = {
  'portfolio.json': '{"name":"Worst"}',
  'sectors.json': '[]',
  'organizations.json': JSON.stringify([organization('acme')]),
  'logo/a.svg': SVG,
  'visual/a.svg': SVG,
}

type Over = Readonly<Record<string, string | Uint8Array>>

const archived = (name: string, over: () => Over): WorstFile => ({
  name,
  files: () => {
    const entries = Object.entries({ ...GOOD, ...over() })
    return [['worst.zip', zipOf(...entries.map(([path, content]): ZipEntry => ({ name: path, content })))]]
  },
})

const rows = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => row(at)).join('')

/** Repeats a text until it has about this many bytes. */
const filled = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length))

const FULL = 63 * MIB

/** The worst files that we can build: each is as large as the bounds allow, or a little larger. */
export const WORST_FILES: ReadonlyArray<WorstFile> = [
  archived('CSV of 63 MiB of separators', () => ({
    'datasets.csv': `${HEADS.datasets}${filled(',', FULL)}`,
  })),
  archived('CSV of blank lines', () => ({ 'datasets.csv': `${HEADS.datasets}${filled('\n', FULL)}` })),
  archived('CSV of separators before the head', () => ({ 'datasets.csv': filled(',', FULL) })),
  archived('CSV of a million columns', () => ({ 'datasets.csv': `${filled('a,', 2 * MIB)}\n` })),
  archived('CSV of quotes', () => ({ 'datasets.csv': `${HEADS.datasets}${filled('"', FULL)}` })),
  archived('CSV of rows with wrong quotes', () => ({
    'datasets.csv': `${HEADS.datasets}${filled('a"\n', FULL)}`,
  })),
  archived('CSV with a quote that is never closed', () => ({
    'datasets.csv': `${HEADS.datasets}"${filled('a\n', FULL)}`,
  })),
  archived('CSV with a cell of 60 MiB', () => ({
    'datasets.csv': `${HEADS.datasets}"${filled('x', 60 * MIB)}"\n`,
  })),
  archived('CSV of a million rows', () => ({
    'datasets.csv': HEADS.datasets + rows(1_000_000, (at) => `acme,${at},1,1,1,EUR\n`),
  })),
  archived('100,000 good rows', () => ({
    'challenges.csv': HEADS.challenges + rows(100_000, (at) => `acme,${at},en,Text ${at}\n`),
  })),
  archived('100,000 rows with an error each', () => ({
    'challenges.csv': HEADS.challenges + rows(100_000, (at) => `other,${at},en,Text\n`),
  })),
  archived('100,000 organizations without texts', () => ({
    'organizations.json': JSON.stringify(Array.from({ length: 100_000 }, (_, at) => organization(`o${at}`))),
  })),
  archived('100,000 missing images', () => ({
    'organizations.json': JSON.stringify(
      Array.from({ length: 100_000 }, (_, at) => organization(`o${at}`, { logo: `${at}.svg` })),
    ),
  })),
  archived('texts of 60 MiB', () => ({
    'introductions.csv': HEADS.introductions + rows(6200, () => `acme,en,${'x'.repeat(9990)}\n`),
  })),
  archived('texts of 40 MiB in two bytes each', () => ({
    'introductions.csv': HEADS.introductions + rows(4200, () => `acme,en,${'€é'.repeat(2000)}\n`),
  })),
  archived('all tables at their bounds', () => ({
    'introductions.csv': HEADS.introductions + rows(6200, () => `acme,en,${'x'.repeat(9990)}\n`),
    'summaries.csv': HEADS.summaries + rows(6200, () => `acme,en,${'x'.repeat(9990)},x\n`),
    'challenges.csv': HEADS.challenges + rows(6200, (at) => `acme,${at},en,${'x'.repeat(9900)}\n`),
    'datasets.csv': HEADS.datasets + rows(99_000, (at) => `acme,${at % 9999},1,1,1,EUR\n`),
  })),
  archived('highlights that take long to look for', () => ({
    'summaries.csv':
      HEADS.summaries +
      rows(4000, () => `acme,en,${'a'.repeat(9990)},${'a'.repeat(2500)}b${'a'.repeat(2500)}\n`),
  })),
  archived('sectors of 60 MiB', () => ({
    'organizations.json': JSON.stringify(
      Array.from({ length: 900 }, (_, at) =>
        organization(`o${at}`, { sectors: filled('a b c d e f ', 65_000) }),
      ),
    ),
  })),
  archived('JSON that is deep', () => ({ 'datasets.json': filled('[', FULL) })),
  archived('JSON of millions of objects', () => ({ 'datasets.json': `[${filled('{},', FULL)}{}]` })),
  archived('JSON of millions of objects in a row', () => ({
    'datasets.json': `[{"id":[${filled('{},', FULL)}{}]}]`,
  })),
  archived('JSON of a list of texts', () => ({ 'datasets.json': `[{"id":[${filled('"a",', FULL)}"a"]}]` })),
  archived('JSON with repeated names', () => ({ 'datasets.json': `[{${filled('"id":1,', FULL)}"id":1}]` })),
  archived('JSON with a million names', () => ({
    'datasets.json': `[{${rows(1_000_000, (at) => `"n${at}":1,`)}"id":1}]`,
  })),
  archived('JSON with a text of 60 MiB', () => ({
    'datasets.json': `[{"id":"${filled('\\u00e9', 60 * MIB)}"}]`,
  })),
  archived('JSON of blanks', () => ({ 'datasets.json': `[${filled(' ', FULL)}]` })),
  archived('a table of more than 64 MiB', () => ({ 'datasets.csv': filled('\n', 66 * MIB) })),
  archived('a bomb of 600 MiB', () =>
    Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`logo/${at}.svg`, Buffer.alloc(60 * MIB)])),
  ),
  archived('10,001 files', () =>
    Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`logo/${at}.svg`, SVG])),
  ),
  archived('9,900 images in use', () => ({
    ...Object.fromEntries(Array.from({ length: 9900 }, (_, at) => [`logo/${at}.svg`, SVG])),
    'organizations.json': JSON.stringify(
      Array.from({ length: 9900 }, (_, at) => organization(`o${at}`, { logo: `${at}.svg` })),
    ),
  })),
  archived('SVG of 2 MiB of shapes', () => ({
    'logo/a.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="4096" height="4096">${filled('<rect width="4096" height="4096" fill="red" opacity="0.1"/>', 2 * MIB - 200)}</svg>`,
  })),
  archived('SVG of nested uses', () => ({
    'logo/a.svg': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="4096" height="4096"><defs><g id="g0"><rect width="9" height="9"/></g>${rows(20, (at) => `<g id="g${at + 1}">${`<use xlink:href="#g${at}"/>`.repeat(10)}</g>`)}</defs><use xlink:href="#g20"/></svg>`,
  })),
]
