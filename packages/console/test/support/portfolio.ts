import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeLoadPortfolio } from '@almoner/domain/portfolio'
import { done } from '@almoner/testkit/contracts'
import { openPortfolio } from '../../../adapters-node/src/files/index.ts'
import type { OpenedConsole } from './console-server.ts'

/** Files by their path in the folder. */
export type Files = Readonly<Record<string, string>>

const svg = (width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#1F4E79"/></svg>`

const rows = (...all: ReadonlyArray<object>): string =>
  `[\n${all.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`

const organization = (id: string, name: string) => ({
  ...{ id, name, since: 2016, founded: 1999, website: 'https://example.org/', sectors: 'water' },
  ...{ logo: 'logo.svg', visual: 'visual.svg' },
})

/** A portfolio of two organizations. One summary lacks its highlight, one its French. */
export const FILES: Files = {
  'portfolio.json': '{ "name": "Our portfolio" }',
  'sectors.json': rows({ sectorId: 'water', en: 'Water', fr: 'Eau', logo: 'logo.svg' }),
  'organizations.json': rows(
    organization('acme', 'Wells of Acme'),
    organization('zenith', 'Zenith Bicycle Nurses'),
  ),
  'introductions.json': rows(
    ...['acme', 'zenith'].flatMap((id) => [
      { id, lang: 'en', text: `${id} digs wells.` },
      { id, lang: 'fr', text: `${id} creuse des puits.` },
    ]),
  ),
  'summaries.json': rows(
    { id: 'acme', lang: 'en', text: 'Clean water for six villages.', highlight: 'six villages' },
    { id: 'acme', lang: 'fr', text: 'De l’eau pour six villages.', highlight: 'sept villages' },
    { id: 'zenith', lang: 'en', text: 'Nurses on bicycles.' },
  ),
  'programs.json': rows(
    ...['en', 'fr'].map((lang) => ({
      id: 'acme',
      lang,
      programTitle: 'Wells',
      programDescription: 'Wells.',
    })),
  ),
  'challenges.json': rows(
    ...['en', 'fr'].map((lang) => ({
      organization: 'acme',
      id: 7,
      lang,
      text: 'Far away.',
      highlight: 'away',
    })),
  ),
  'datasets.csv': `id,year,beneficiaries,staffHeadcount,budget,budgetCurrency,ageFrom,ageTo
acme,2015,1200,12,250000,EUR,6,18
acme,2016,1450,14,310000,EUR,6,18
acme,2017,2300,15,420000,EUR,6,18
`,
  'logo/logo.svg': svg(100, 100),
  'visual/visual.svg': svg(1200, 600),
}

/** Writes files into a folder. */
export const writeFiles = (folder: string, files: Files): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Fills a service with a portfolio, as the command line does. */
export const loadFiles = async ({ ports }: OpenedConsole['fixture'], files: Files = FILES): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'almoner-portfolio-'))
  try {
    writeFiles(folder, files)
    const opened = await openPortfolio(folder)
    await done(makeLoadPortfolio(ports)({ ...opened, report: () => {} }))
    await opened.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}
