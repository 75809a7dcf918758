import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
} from '../support/portfolio.ts'

// `portfolio load`: all errors are reported at once by file and line, and nothing changes (H1).

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
        `organizations.${form}:5001: sectors names the unknown sector poetry`,
      ])
    },
  )

t.test('H1: each rule of each table is checked', async (t) => {
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
    'sectors.json:5: sectorId repeats water',
    'organizations.json:2: budget is no column of organizations',
    'organizations.json:2: sectors names health twice',
    'organizations.json:3: id must not be summary, which is part of a path',
    'organizations.json:4: id must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
    'organizations.json:5: id must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
    'organizations.json:5: website must be an absolute http or https URL',
    'organizations.json:6: founded must be a whole number from 1 to 9999',
    'organizations.json:6: sectors names the unknown sector unknown',
    'organizations.json:7: sectors must be identifiers of sectors',
    'introductions.json:2: id is no organization of this portfolio',
    'introductions.json:3: lang must be en or fr',
    'introductions.json:3: text is required',
    'challenges.json:3: lang repeats challenge 7 in en',
    'challenges.json:4: id belongs to the organization acme already',
    'challenges.json:5: id must be a whole number from 0 to 9007199254740991',
    'challenges.json:5: organization is no organization of this portfolio',
    'datasets.json:3: budget must be a whole number from 0 to 9007199254740991',
    'datasets.json:3: year repeats 2016 of acme',
    'datasets.json:4: year repeats 2016 of acme',
    'datasets.json:5: budgetCurrency must be three capital letters',
  ])
})

t.test('H1: rows that are not objects, and bad fields far into a row, are reported', async (t) => {
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

t.test('H1: unreadable files are named together with the bad rows of the others', async (t) => {
  const organizations = [organization('acme', { since: 'x', sectors: 'unknown' })]
  const introductions = [{ id: 'zenith', lang: 'en', text: 'x' }]
  t.strictSame(
    await refused(t, { ...TABLES, organizations, introductions }, 'json', (path) => {
      writeFileSync(join(path, 'sectors.json'), '[\n{"sectorId": "a",}\n]')
      writeFileSync(join(path, 'summaries.json'), '{}')
      writeFileSync(join(path, 'programs.csv'), 'id\n')
      writeFileSync(join(path, 'organisations.csv'), 'id\n')
      writeFileSync(join(path, 'datasets.json'), Buffer.from([0xff, 0xfe]))
      writeFileSync(join(path, 'challenges.json'), '')
    }),
    [
      'organizations.json:2: since must be a whole number from 1 to 9999',
      'introductions.json:2: id is no organization of this portfolio',
      'organisations.csv: is no table of a portfolio',
      'sectors.json:2: is no JSON from here on: property name expected',
      'summaries.json:1: must be an array of rows',
      'programs.csv: stands beside programs.json: keep one of the two',
      'challenges.json:1: is no JSON from here on: value expected',
      'datasets.json: is no text in UTF-8',
    ],
    'sectors of an unreadable table are not reported as unknown',
  )
})

t.test('H1: a missing table, and a name and tables that are not JSON, are reported together', async (t) => {
  const bad = (path: string) => {
    writeFileSync(join(path, 'portfolio.json'), '{')
    writeFileSync(join(path, 'sectors.json'), '[')
  }
  const introductions = [{ id: 'acme', lang: 'en' }]
  t.strictSame(await refused(t, { introductions }, 'json', bad), [
    `${join(t.testdirName, 'portfolio')}: organizations.json or organizations.csv is required`,
    'introductions.json:2: text is required',
    'portfolio.json:1: is no JSON from here on: close brace expected',
    'sectors.json:1: is no JSON from here on: close bracket expected',
  ])
  t.strictSame(
    await refused(t, TABLES, 'json', (path) => writeFileSync(join(path, 'portfolio.json'), '["Ours"]')),
    ['portfolio.json:1: must be an object with name'],
  )
  t.strictSame(
    await refused(t, TABLES, 'json', (path) =>
      writeFileSync(join(path, 'portfolio.json'), '{"name": ["Ours"]}'),
    ),
    ['portfolio.json:1: name must be a single value'],
  )
})

t.test('H1: folders, pipes and circular links are reported at once', async (t) => {
  const lines = await refused(t, TABLES, 'json', (path) => {
    for (const table of ['summaries', 'programs', 'datasets', 'introductions'])
      rmSync(join(path, `${table}.json`))
    mkdirSync(join(path, 'summaries.json'))
    execFileSync('mkfifo', [join(path, 'programs.json')])
    symlinkSync('datasets.json', join(path, 'datasets.json'))
    symlinkSync('nowhere', join(path, 'introductions.json'))
    rmSync(join(path, 'portfolio.json'))
    for (const [folder, name] of [
      ['logo', 'sector.svg'],
      ['logo', 'logo.svg'],
      ['visual', 'visual.svg'],
    ] as const)
      rmSync(join(path, folder, name))
    symlinkSync('sector.svg', join(path, 'logo', 'sector.svg'))
    execFileSync('mkfifo', [join(path, 'logo', 'logo.svg')])
    symlinkSync('nowhere.svg', join(path, 'visual', 'visual.svg'))
  })
  t.strictSame(lines.toSorted(), [
    'datasets.json: is a link that leads back to itself',
    'introductions.json: is not there',
    'organizations.json:2: logo names logo/logo.svg, which is no regular file',
    'organizations.json:2: visual names no file in visual/',
    'organizations.json:3: logo names logo/logo.svg, which is no regular file',
    'organizations.json:3: visual names no file in visual/',
    'portfolio.json: is not there',
    'programs.json: is no regular file',
    'sectors.json:2: logo names logo/sector.svg, which is a link that leads back to itself',
    'sectors.json:3: logo names logo/sector.svg, which is a link that leads back to itself',
    'summaries.json: is a folder',
  ])
})

t.test('H1: headers and quotes of CSV are checked', async (t) => {
  t.strictSame(
    await refused(t, { sectors: SECTORS, organizations: [organization('acme')] }, 'csv', (path) => {
      writeFileSync(
        join(path, 'introductions.csv'),
        'id,lang,texte,lang,\nacme,en,Hello\nacme,de,Hello\nno,en,\n',
      )
      writeFileSync(
        join(path, 'summaries.csv'),
        'id,lang,text\nacme,en,"never closed\nacme,de,x\nacme,en,b"d\n\nno,en,"two\nlines"\nacme,fr,""\n',
      )
      writeFileSync(join(path, 'programs.csv'), '')
      writeFileSync(join(path, 'datasets.csv'), 'id,"ye"ar\nacme,2016\n')
    }),
    [
      'introductions.csv:1: texte is no column of introductions',
      'introductions.csv:1: lang is given twice',
      'introductions.csv:1: column 5 has no name',
      'introductions.csv:1: lacks the column text',
      'introductions.csv:3: lang must be en or fr',
      'introductions.csv:4: id is no organization of this portfolio',
      'summaries.csv:2: the quotes of this row are not as RFC 4180 has them',
      'summaries.csv:3: lang must be en or fr',
      'summaries.csv:4: the quotes of this row are not as RFC 4180 has them',
      'summaries.csv:6: id is no organization of this portfolio',
      'summaries.csv:8: text is required',
      'programs.csv:1: must begin with the names of its columns: id, lang, programTitle, programDescription',
      'datasets.csv:1: the quotes of this row are not as RFC 4180 has them',
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
    'a row is named by its first line',
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
    `${file}:1: name is required`,
    `${file}:1: organizations is required`,
    `${file}:16: organisations is no table of a portfolio`,
  ])
})

t.test(
  'H1: images that are missing, broken, of another type or too large are errors of their rows',
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
      'organizations.json:2: visual does not decode whole: the file ends before the image does',
      'organizations.json:3: logo must be an SVG, PNG or JPEG by its content',
      'organizations.json:3: visual names visual/folder, which is a folder',
      'organizations.json:4: logo names no file in logo/',
      'organizations.json:4: since must be a whole number from 1 to 9999',
      'organizations.json:4: visual names visual/large.svg, which has more than 10 MiB',
    ])
  },
)

t.test('H1: references to organizations are not checked if the organizations are unreadable', async (t) => {
  const { organizations: _, ...rest } = TABLES
  const introductions = [
    { id: 'nobody', lang: 'en', text: 'x' },
    { lang: 'en', text: 'x' },
  ]
  for (const [rows, ...expected] of [
    ['id,name\nac"me,x\n', 'organizations.csv:2: the quotes of this row are not as RFC 4180 has them'],
    ['ident,name\nacme,x\n', 'organizations.csv:1: ident is no column of organizations'],
  ] as const) {
    const lines = await refused(t, { ...rest, introductions }, 'json', (path) =>
      writeFileSync(join(path, 'organizations.csv'), rows),
    )
    for (const line of [...expected, 'introductions.json:3: id is required']) t.ok(lines.includes(line), line)
    t.notMatch(lines.join('\n'), 'is no organization of this portfolio')
  }
})

t.test('a missing path and wrong usage', async (t) => {
  const folder = t.testdir()
  execFileSync('mkfifo', [join(folder, 'pipe')])
  for (const [path, why] of [
    [join(folder, 'nowhere'), 'is not there'],
    [join(folder, 'pipe'), 'is no regular file'],
  ])
    t.strictSame(await command(folder, 'portfolio', 'load', `${path}`), {
      code: 1,
      out: '',
      err: `almoner: ${path}: ${why}\n`,
    })
  t.match(await command(t.testdir(), 'portfolio', 'load'), { code: 2, out: '' })
  t.match(await command(t.testdir(), 'check'), { code: 2, out: '' })
})
