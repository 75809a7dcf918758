import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  command,
  contentOf,
  organization,
  SECTORS,
  stored,
  TABLES,
  type Tables,
  writeFolder,
  writeImages,
} from './support/portfolio.ts'

// `portfolio load`: what is wrong with a portfolio is named by file and line, all at once, and nothing changes (H1).

/** Loads a good portfolio first, then this one, and gives the lines of the refusal: nothing must have changed. */
const refusal = async (
  t: Test,
  folder: string,
  path: string,
  prepare: () => void,
): Promise<ReadonlyArray<string>> => {
  await command(folder, 'portfolio', 'load', writeFolder(folder))
  const before = [await contentOf(folder), stored(folder, 'logo'), stored(folder, 'visual')]
  prepare()
  for (const more of [[], ['--dry-run']]) {
    const { code, out, err } = await command(folder, 'portfolio', 'load', path, ...more)
    t.strictSame([code, out], [1, ''])
    t.strictSame(
      [await contentOf(folder), stored(folder, 'logo'), stored(folder, 'visual')],
      before,
      'nothing changed',
    )
    if (more.length > 0)
      return err
        .trimEnd()
        .split('\n')
        .map((line) => line.replace('almoner: ', '').replaceAll(`${path}/`, ''))
  }
  return []
}

const refused = (
  t: Test,
  tables: Tables,
  form: 'json' | 'csv' = 'json',
  files: (path: string) => void = () => {},
) => {
  const folder = t.testdir()
  const path = join(folder, 'portfolio')
  return refusal(t, folder, path, () => {
    rmSync(path, { recursive: true })
    writeFolder(folder, tables, form)
    files(path)
  })
}

for (const form of ['json', 'csv'] as const)
  t.test(
    `H1: 3 bad rows among 5,000 change nothing and are named by file and line, in ${form}`,
    async (t) => {
      const organizations = Array.from({ length: 5000 }, (_, n) => organization(`o${n}`))
      organizations[10] = organization('o10', { since: 'soon' })
      organizations[2500] = organization('o7')
      organizations[4999] = organization('o4999', { sectors: 'health poetry', name: ' ' })
      t.strictSame(await refused(t, { sectors: SECTORS, organizations }, form), [
        `organizations.${form}:12: since must be a whole number from 1 to 9999`,
        `organizations.${form}:2502: id repeats o7`,
        `organizations.${form}:5001: name is required`,
      ])
    },
  )

t.test('H1: each rule of each table', async (t) => {
  const [introduction = {}] = TABLES['introductions'] ?? []
  const [challenge = {}] = TABLES['challenges'] ?? []
  const [dataset = {}] = TABLES['datasets'] ?? []
  const lines = await refused(t, {
    sectors: [
      ...SECTORS,
      { sectorId: 'a b', logo: 'sector.svg' },
      { sectorId: 'water', en: 'Again', logo: '../x.svg' },
    ],
    organizations: [
      organization('acme', { sectors: ['health', 'health'], budget: 3 }),
      organization('summary'),
      organization('..'),
      organization('a/b', { website: 'javascript:alert(1)' }),
      organization('zenith', { sectors: 'unknown', founded: 1999.5 }),
      organization('new', { sectors: ['health water'] }),
    ],
    introductions: [
      { ...introduction, id: 'nobody' },
      { ...introduction, lang: 'de', text: '' },
    ],
    challenges: [
      challenge,
      { ...challenge, text: 'Again' },
      { ...challenge, organization: 'zenith', lang: 'fr' },
      { ...challenge, id: 'x', organization: 'nobody' },
    ],
    datasets: [
      dataset,
      { ...dataset, budget: -1 },
      { ...dataset, beneficiaries: 5 },
      { ...dataset, year: 2018, budgetCurrency: 'euro' },
    ],
  })
  t.strictSame(lines, [
    'sectors.json:4: sectorId must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
    'sectors.json:4: en is required where fr is missing',
    'sectors.json:5: logo must be the name of a file, without a folder',
    'organizations.json:2: budget is no column of organizations',
    'organizations.json:2: sectors names health twice',
    'organizations.json:3: id must not be summary, which is part of a path',
    'organizations.json:4: id must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
    'organizations.json:5: id must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
    'organizations.json:5: website must be an absolute http or https URL',
    'organizations.json:6: founded must be a whole number from 1 to 9999',
    'organizations.json:7: sectors must be identifiers of sectors',
    'introductions.json:2: id is no organization of this portfolio',
    'introductions.json:3: lang must be en or fr',
    'introductions.json:3: text is required',
    'challenges.json:3: lang repeats challenge 7 in en',
    'challenges.json:4: id belongs to the organization acme already',
    'challenges.json:5: id must be a whole number from 0 to 9007199254740991',
    'datasets.json:3: budget must be a whole number from 0 to 9007199254740991',
    'datasets.json:4: year repeats 2016 of acme',
    'datasets.json:5: budgetCurrency must be three capital letters',
  ])
})

t.test('H1: rows that are no objects, and fields far from the beginning of their row', async (t) => {
  const lines = await refused(t, TABLES, 'json', (path) => {
    writeFileSync(
      join(path, 'sectors.json'),
      '[\n  null,\n  [],\n  {\n    "sectorId": "water",\n    "en": "Water",\n    "en": "Twice",\n    "logo": 5\n  }\n]',
    )
  })
  t.strictSame(lines.slice(0, 4), [
    'sectors.json:2: must be an object',
    'sectors.json:3: must be an object',
    'sectors.json:7: en is given twice',
    'sectors.json:8: logo names no file in logo/',
  ])
})

t.test('H1: files that cannot be read are named before anything else', async (t) => {
  t.strictSame(
    await refused(t, TABLES, 'json', (path) => {
      writeFileSync(join(path, 'sectors.json'), '[\n{"sectorId": "a",}\n]')
      writeFileSync(join(path, 'summaries.json'), '{}')
      writeFileSync(join(path, 'programs.csv'), 'id\n')
      writeFileSync(join(path, 'organisations.csv'), 'id\n')
      writeFileSync(join(path, 'datasets.json'), Buffer.from([0xff, 0xfe]))
      writeFileSync(join(path, 'challenges.json'), '')
    }).then((lines) => lines.map((line) => line.replace(/(UTF-8): .*/, '$1'))),
    [
      'organisations.csv: is no table of a portfolio',
      'sectors.json:2: is no JSON from here on: property name expected',
      'summaries.json:1: must be an array of rows',
      'programs.csv: stands beside programs.json: keep one of the two',
      'challenges.json:1: is no JSON from here on: value expected',
      'datasets.json: cannot be read as UTF-8',
    ],
  )
})

t.test('H1: heads and quotes of CSV', async (t) => {
  t.strictSame(
    await refused(t, { sectors: SECTORS, organizations: [organization('acme')] }, 'csv', (path) => {
      writeFileSync(join(path, 'introductions.csv'), 'id,lang,texte,lang,\nacme,en,Hello\n')
      writeFileSync(join(path, 'summaries.csv'), 'id,lang,text\nacme,en,"never closed\n')
      writeFileSync(join(path, 'programs.csv'), '')
    }),
    [
      'introductions.csv:1: texte is no column of introductions',
      'introductions.csv:1: lang is given twice',
      'introductions.csv:1: column 5 has no name',
      'summaries.csv:2: the quotes of this row are not as RFC 4180 has them',
      'programs.csv:1: must begin with the names of its columns',
    ],
  )
  t.strictSame(
    await refused(t, { sectors: SECTORS, organizations: [organization('acme')] }, 'csv', (path) =>
      writeFileSync(
        join(path, 'summaries.csv'),
        'id,lang,text\n"acme",en,"two\r\nlines"\nacme,en,a,b\nnobody,en,x\n',
      ),
    ),
    [
      'summaries.csv:4: has 4 fields where the head has 3',
      'summaries.csv:5: id is no organization of this portfolio',
    ],
    'a row is named by the line on which it begins',
  )
})

t.test('H1: sectors, organizations and a name are required', async (t) => {
  t.strictSame(await refused(t, { sectors: SECTORS }), [
    `${join(t.testdirName, 'portfolio')}: organizations.json or organizations.csv is required`,
  ])
  t.strictSame(
    await refused(t, TABLES, 'json', (path) =>
      writeFileSync(join(path, 'portfolio.json'), '{\n"title": "x"}'),
    ),
    ['portfolio.json:2: title is unknown here', 'portfolio.json:1: name is required'].toSorted(),
  )
  const folder = t.testdir()
  writeImages(folder)
  const file = join(folder, 'all.json')
  const lines = await refusal(t, folder, file, () =>
    writeFileSync(file, JSON.stringify({ sectors: SECTORS, organisations: [] }, null, 1)),
  )
  t.strictSame(lines, [
    `${file}:1: organizations is required`,
    `${file}:16: organisations is no table of a portfolio`,
  ])
})

t.test(
  'H1: images that are missing, broken, of another type or too large are faults of their rows',
  async (t) => {
    const organizations = [
      organization('acme', { logo: 'gone.svg', visual: 'broken.png' }),
      organization('zenith', { logo: 'text.svg', visual: 'folder' }),
      organization('other', { logo: 'gone.svg', visual: 'large.svg', since: 0 }),
    ]
    const lines = await refused(t, { sectors: SECTORS, organizations }, 'json', (path) => {
      writeFileSync(
        join(path, 'visual', 'broken.png'),
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
      )
      writeFileSync(join(path, 'logo', 'text.svg'), 'no picture')
      writeFileSync(join(path, 'visual', 'large.svg'), Buffer.alloc(10 * 1024 * 1024 + 1, ' '))
      mkdirSync(join(path, 'visual', 'folder'))
    })
    t.strictSame(lines.toSorted(), [
      'organizations.json:2: logo names no file in logo/',
      'organizations.json:2: visual does not decode whole',
      'organizations.json:3: logo must be an SVG, PNG or JPEG by its content',
      'organizations.json:3: visual names no file in visual/',
      'organizations.json:4: logo names no file in logo/',
      'organizations.json:4: since must be a whole number from 1 to 9999',
      'organizations.json:4: visual has more than 10 MiB',
    ])
  },
)

t.test('a path that is not there, and wrong usage', async (t) => {
  t.match(await command(t.testdir(), 'portfolio', 'load', 'nowhere'), {
    code: 1,
    out: '',
    err: /^almoner: nowhere cannot be read: [^\n]+\n$/,
  })
  t.match(await command(t.testdir(), 'portfolio', 'load'), { code: 2, out: '' })
  t.match(await command(t.testdir(), 'check'), { code: 2, out: '' })
})
