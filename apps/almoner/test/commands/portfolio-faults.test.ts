import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

const QUOTES =
  'has quotes that are not as RFC 4180 has them: put the whole cell in quotes, and double those in it'

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
    // Tables that the load lacks would stay as they are (H5).
    const names = readdirSync(path).map((name) => name.replace(/\.[^.]*$/, ''))
    for (const table of Object.keys(TABLES))
      if (!names.includes(table)) writeFileSync(join(path, `${table}.json`), '[]')
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
        `organizations.${form}:12: since "soon" must be a whole number from 1 to 9999`,
        `organizations.${form}:2502: id "o7" repeats o7: keep one of the two rows`,
        `organizations.${form}:5001: name is required`,
        `organizations.${form}:5001: sectors "health poetry" names the unknown sector poetry: add it to sectors, or name one that is there`,
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
    'sectors.json:4: sectorId "a b" must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
    'sectors.json:4: en is required where fr is missing',
    'sectors.json:5: logo "../x.svg" must be the name of a file, without a folder',
    'sectors.json:5: sectorId "water" repeats water: keep one of the two rows',
    'organizations.json:2: budget "3" is no column of organizations: the nearest known name is id',
    'organizations.json:2: sectors "["health","health"]" names health twice: keep one',
    'organizations.json:3: id "summary" must not be summary, which is part of a path',
    'organizations.json:4: id ".." must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
    'organizations.json:5: id "a/b" must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
    'organizations.json:5: website "javascript:alert(1)" must be an absolute http or https URL',
    'organizations.json:6: founded "1999.5" must be a whole number from 1 to 9999',
    'organizations.json:6: sectors "unknown" names the unknown sector unknown: add it to sectors, or name one that is there',
    'organizations.json:7: sectors "["health water"]" must be identifiers of sectors, with spaces between them',
    'introductions.json:2: id "nobody" is no organization of this portfolio: add it to organizations, or name one that is there',
    'introductions.json:3: lang "de" must be en or fr',
    'introductions.json:3: text is required',
    'challenges.json:3: lang "en" repeats challenge 7 in en: keep one of the two rows',
    'challenges.json:4: id "7" belongs to the organization acme already: give this challenge another number',
    'challenges.json:5: id "x" must be a whole number from 0 to 9007199254740991',
    'challenges.json:5: organization "nobody" is no organization of this portfolio: add it to organizations, or name one that is there',
    'datasets.json:3: budget "-1" must be a whole number from 0 to 9007199254740991',
    'datasets.json:3: year "2016" repeats 2016 of acme: keep one of the two rows',
    'datasets.json:4: year "2016" repeats 2016 of acme: keep one of the two rows',
    'datasets.json:5: budgetCurrency "euro" must be three capital letters',
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
    'sectors.json:2: must be an object with the columns of the table',
    'sectors.json:3: must be an object with the columns of the table',
    'sectors.json:7: en is given twice: keep one',
    'sectors.json:8: logo "5" names no file in logo/: add it, or correct the name',
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
      'organizations.json:2: since "x" must be a whole number from 1 to 9999',
      'introductions.json:2: id "zenith" is no organization of this portfolio: add it to organizations, or name one that is there',
      'organisations.csv: is no file of a portfolio: the nearest known name is organizations.csv',
      'sectors.json:2: is no JSON from "} ]" on: property name expected',
      'summaries.json:1: must be an array of rows',
      'programs.csv: stands beside programs.json: keep one of the two',
      'challenges.json:1: is no JSON from its end on: value expected',
      'datasets.json:1: is no JSON from its end on: value expected',
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
    'introductions.json:2: text is required',
    'introductions.json:2: id "acme" is no organization of this portfolio: add it to organizations, or name one that is there',
    'portfolio.json:1: is no JSON from its end on: close brace expected',
    'sectors.json:1: is no JSON from its end on: close bracket expected',
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
    'organizations.json:2: logo "logo.svg" names logo/logo.svg, which is no regular file',
    'organizations.json:2: visual "visual.svg" names no file in visual/: add it, or correct the name',
    'organizations.json:3: logo "logo.svg" names logo/logo.svg, which is no regular file',
    'organizations.json:3: visual "visual.svg" names no file in visual/: add it, or correct the name',
    'programs.json: is no regular file',
    'sectors.json:2: logo "sector.svg" names logo/sector.svg, which is a link that leads back to itself',
    'sectors.json:3: logo "sector.svg" names logo/sector.svg, which is a link that leads back to itself',
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
      'introductions.csv:1: texte is no column of introductions: the nearest known name is text',
      'introductions.csv:1: lang is given twice: keep one of the two columns',
      'introductions.csv:1: lacks the column text: add it',
      'introductions.csv:3: lang "de" must be en or fr',
      'introductions.csv:4: id "no" is no organization of this portfolio: add it to organizations, or name one that is there',
      `summaries.csv:2: text ""never closed acme,de,x acme,en,b"d  no,…" ${QUOTES}`,
      'summaries.csv:3: lang "de" must be en or fr',
      `summaries.csv:4: text "b"d  no,en,"two lines" acme,fr,"" " ${QUOTES}`,
      'summaries.csv:6: id "no" is no organization of this portfolio: add it to organizations, or name one that is there',
      'summaries.csv:8: text is required',
      'programs.csv:1: must begin with the names of its columns: id, lang, programTitle, programDescription',
      `datasets.csv:1: column 2 ""ye"ar acme,2016 " ${QUOTES}`,
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
      'summaries.csv:4: column 4 "b" is one too many, as the head has 3: put a text that holds separators in quotes',
      'summaries.csv:5: id "nobody" is no organization of this portfolio: add it to organizations, or name one that is there',
    ],
    'a row is named by its first line',
  )
})

t.test('H1, H5: a name that is stated must be one, and what is unknown is an error', async (t) => {
  t.strictSame(
    await refused(t, TABLES, 'json', (path) =>
      writeFileSync(join(path, 'portfolio.json'), '{\n"title": "x"}'),
    ),
    [
      'portfolio.json:1: name is required',
      'portfolio.json:2: title is unknown here: the one name that is known is name',
    ],
  )
  const folder = t.testdir()
  writeImages(folder)
  const file = join(folder, 'all.json')
  const lines = await refusal(t, folder, file, () =>
    writeFileSync(file, JSON.stringify({ name: '', organisations: [] }, null, 1)),
  )
  t.strictSame(lines, [
    `${file}:2: name is required`,
    `${file}:3: organisations is no table of a portfolio: the nearest known name is organizations`,
  ])
})

t.test('H5: what is absent from the first load is required where something refers to it', async (t) => {
  const folder = t.testdir({ portfolio: { 'introductions.csv': 'id,lang,text\nacme,en,Hello\n' } })
  const path = join(folder, 'portfolio')
  const { code, err } = await command(folder, 'portfolio', 'load', path)
  t.equal(code, 1)
  t.match(err, /introductions\.csv:2: id "acme" is no organization of this portfolio: /)
  t.match(err, /portfolio\.json: name is required\n/)
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
      'organizations.json:2: logo "gone.svg" names no file in logo/: add it, or correct the name',
      'organizations.json:2: visual "broken.png" does not decode whole: the file ends before the image does',
      'organizations.json:3: logo "text.svg" must be an SVG, PNG or JPEG by its content',
      'organizations.json:3: visual "folder" names visual/folder, which is a folder',
      'organizations.json:4: logo "gone.svg" names no file in logo/: add it, or correct the name',
      'organizations.json:4: since "0" must be a whole number from 1 to 9999',
      'organizations.json:4: visual "large.svg" names visual/large.svg, which has more than 10 MiB',
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
    ['id,name\nac"me,x\n', `organizations.csv:2: id "ac"me,x " ${QUOTES}`],
    [
      'ident,name\nacme,x\n',
      'organizations.csv:1: ident is no column of organizations: the nearest known name is id',
    ],
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
