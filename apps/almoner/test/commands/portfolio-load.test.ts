import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storedImagesOf } from '@almoner/domain/portfolio'
import t from 'tap'
import { almoner } from '../support/almoner.ts'
import {
  command,
  contentOf,
  csv,
  organization,
  SECTORS,
  stored,
  svg,
  TABLES,
  watchedCommand,
  writeFolder,
  writeImages,
} from '../support/portfolio.ts'

// `portfolio load`: what a good portfolio becomes (H1).

t.test('H1: a folder of JSON and one of CSV give the same portfolio', async (t) => {
  const folder = t.testdir({ one: {}, two: {} })
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  t.match(await command(one, 'portfolio', 'load', writeFolder(one, TABLES, 'json')), { code: 0, err: '' })
  t.match(await command(two, 'portfolio', 'load', writeFolder(two, TABLES, 'csv')), { code: 0, err: '' })
  const content = await contentOf(one)
  t.strictSame(await contentOf(two), content)
  t.match(content, {
    name: 'Our portfolio',
    organizations: [
      { id: 'acme', sectors: ['health', 'water'] },
      { id: 'zenith', sectors: [] },
    ],
    summaries: [{ text: 'One, "two"\nthree', highlight: { value: '"two"' } }, {}, {}, {}],
    challenges: [
      { id: 7, lang: 'en' },
      { id: 7, lang: 'fr' },
    ],
    datasets: [{ year: 2016, budget: 3000, ageFrom: { _tag: 'None' } }],
  })
})

t.test('H1: one JSON file has it all; sectors may be an array in it', async (t) => {
  const folder = t.testdir()
  writeImages(folder)
  const tables = {
    ...TABLES,
    organizations: [organization('acme', { sectors: ['water'] }), organization('zenith')],
  }
  writeFileSync(join(folder, 'all.json'), JSON.stringify({ name: 'One file', ...tables }))
  t.match(await command(folder, 'portfolio', 'load', join(folder, 'all.json')), { code: 0 })
  t.match(await contentOf(folder), { name: 'One file', organizations: [{ sectors: ['water'] }, {}] })
})

t.test(
  'H1: CSV with a byte order mark, line feeds, blank lines, missing cells and missing optional tables',
  async (t) => {
    const folder = t.testdir()
    const path = writeFolder(folder, { sectors: SECTORS }, 'csv')
    const rows = csv([organization('acme')]).replaceAll('\r\n', '\n')
    writeFileSync(join(path, 'organizations.csv'), `\uFEFF${rows}\n\n`)
    writeFileSync(join(path, 'introductions.csv'), 'id,lang,text\nacme,EN,Hello\n')
    writeFileSync(join(path, 'summaries.csv'), 'id,lang,text,highlight\nacme,en,Short\n')
    t.match(await command(folder, 'portfolio', 'load', path), { code: 0 })
    t.match(await contentOf(folder), {
      organizations: [{ id: 'acme' }],
      introductions: [{ lang: 'en', text: 'Hello' }],
      summaries: [{ highlight: { _tag: 'None' } }],
      programs: [],
    })
  },
)

t.test('H1: --dry-run reports the changes and makes none', async (t) => {
  const folder = t.testdir()
  const path = writeFolder(folder)
  const dry = await command(folder, 'portfolio', 'load', path, '--dry-run', '--json')
  t.match(
    [dry.code, JSON.parse(dry.out)],
    [
      0,
      {
        dryRun: true,
        name: 'Our portfolio',
        changes: { organizations: { added: 2, changed: 0, removed: 0, kept: 0 } },
        warnings: [],
      },
    ],
  )
  t.match(await contentOf(folder), { name: '', organizations: [] })
  t.notOk(existsSync(join(folder, 'data', 'media')), 'no image was stored')
  t.match(await command(folder, 'portfolio', 'load', path, '--dry-run'), {
    out: /TABLE +ADDED[\s\S]*Nothing was changed\.\n$/,
  })
})

t.test('H1: a load replaces the whole portfolio, and reports the changes', async (t) => {
  const folder = t.testdir()
  const path = writeFolder(folder)
  t.match(await command(folder, 'portfolio', 'load', path), { out: /\n2 organizations loaded\.\n$/ })
  const again = await command(folder, 'portfolio', 'load', path, '--json')
  t.match(JSON.parse(again.out), {
    dryRun: false,
    changes: { organizations: { kept: 2, changed: 0 }, summaries: { kept: 4 } },
  })
  const { organizations: _, programs: __, ...rest } = TABLES
  writeFileSync(join(path, 'programs.json'), '[]')
  writeFolder(folder, {
    ...rest,
    organizations: [organization('acme', { founded: 1998 }), organization('zenith'), organization('new')],
  })
  const third = await command(folder, 'portfolio', 'load', path, '--json')
  t.match(JSON.parse(third.out).changes, {
    organizations: { added: 1, changed: 2, removed: 0, kept: 0 },
    programs: { added: 0, removed: 2 },
    sectors: { kept: 2 },
  })
  t.match(await contentOf(folder), {
    organizations: [{ id: 'acme' }, { id: 'new' }, { id: 'zenith' }],
    programs: [],
  })
})

t.test(
  'H1: the names of images depend on their content; replaced images are left to the sweep',
  async (t) => {
    const folder = t.testdir()
    const path = writeFolder(folder)
    await command(folder, 'portfolio', 'load', path)
    t.strictSame(
      [stored(folder, 'logo'), stored(folder, 'visual')],
      [['logo.svg', 'sector.svg'], ['visual.svg']],
    )
    const before = storedImagesOf(await contentOf(folder))
    t.ok(before.every(({ name }) => /^[a-z]+\.[0-9a-f]{16}\.svg$/.test(name)))
    await command(folder, 'portfolio', 'load', path)
    t.strictSame(storedImagesOf(await contentOf(folder)), before, 'the same files, the same names')
    writeFileSync(join(path, 'logo', 'logo.svg'), svg(100, 100, '#0C0'))
    await command(folder, 'portfolio', 'load', path)
    const after = storedImagesOf(await contentOf(folder))
    t.notSame(after, before)
    t.strictSame(
      ['logo', 'visual'].flatMap((kind) => readdirSync(join(folder, 'data/media/portfolio', kind))).sort(),
      [...new Set([...before, ...after].map(({ name }) => name))].sort(),
    )
  },
)

t.test(
  'H1: unusual sizes and missing texts are warnings on stderr or in the document, not errors',
  async (t) => {
    const folder = t.testdir()
    const path = writeFolder(folder, {
      ...TABLES,
      sectors: [...SECTORS, { sectorId: 'arts', fr: 'Arts', logo: 'odd.svg' }],
      introductions: [],
    })
    writeFileSync(join(path, 'logo', 'odd.svg'), svg(120, 80))
    const lines = [
      'logo/odd.svg has 120 by 80 pixels, normally 100 by 100',
      'arts: the sector in en has no name',
      'acme: the introduction in en is missing',
      'acme: the introduction in fr is missing',
      'zenith: the introduction in en is missing',
      'zenith: the introduction in fr is missing',
    ]
    const { code, err } = await command(folder, 'portfolio', 'load', path)
    t.equal(code, 0)
    t.strictSame(
      err.trimEnd().split('\n'),
      lines.map((line) => `almoner: warning: ${line}`),
    )
    const asJson = await command(folder, 'portfolio', 'load', path, '--json')
    t.strictSame([asJson.code, asJson.err, JSON.parse(asJson.out).warnings], [0, '', lines])
  },
)

t.test('H2: years outside ALMONER_JOINED_YEARS are a warning that names the setting', async (t) => {
  const folder = t.testdir()
  const organizations = [organization('acme'), organization('zenith', { since: 2021, sectors: '' })]
  const path = writeFolder(folder, { ...TABLES, organizations })
  const line =
    'organizations joined in 2021, and ALMONER_JOINED_YEARS is 2015-2018: ?joined= refuses those years; set ALMONER_JOINED_YEARS=2015-2021'
  for (const more of [['--dry-run'], []])
    t.match(await command(folder, 'portfolio', 'load', path, ...more), {
      code: 0,
      err: `almoner: warning: ${line}\n`,
    })
  const asJson = await command(folder, 'portfolio', 'load', path, '--json')
  t.strictSame(JSON.parse(asJson.out).warnings, [line])
})

t.test('H1: of 40,000 warnings 20 are lines on stderr; with --json all are in the document', async (t) => {
  const folder = t.testdir()
  const organizations = Array.from({ length: 10_000 }, (_, n) => organization(`o${n}`))
  const path = writeFolder(folder, { sectors: SECTORS, organizations }, 'csv')
  const { code, err } = await command(folder, 'portfolio', 'load', path)
  t.equal(code, 0)
  const lines = err.trimEnd().split('\n')
  t.equal(lines.length, 21)
  t.equal(lines.filter((line) => line.includes('warning')).length, 20)
  t.match(lines.at(-1), /^almoner: and 39980 more/)
  const asJson = await command(folder, 'portfolio', 'load', path, '--dry-run', '--json')
  t.strictSame([asJson.err, JSON.parse(asJson.out).warnings.length], ['', 40_000])
})

t.test('H1: organizations without a row are a warning: the portfolio will be empty', async (t) => {
  const folder = t.testdir()
  const path = writeFolder(folder, { sectors: SECTORS, organizations: [] })
  for (const more of [['--dry-run'], []]) {
    const { code, err } = await command(folder, 'portfolio', 'load', path, ...more)
    t.strictSame(
      [code, err],
      [0, 'almoner: warning: organizations has no row: the portfolio will be empty\n'],
    )
  }
})

t.test('check texts lists texts without a language or highlight, and exits with 0', async (t) => {
  const folder = t.testdir()
  t.match(await command(folder, 'check', 'texts'), { code: 0, out: 'No text is missing.\n', err: '' })
  await command(folder, 'portfolio', 'load', writeFolder(folder))
  t.match(await command(folder, 'check', 'texts', '--json'), { code: 0, out: '{"findings":[]}\n' })
  const [challenge] = TABLES['challenges'] ?? []
  const [program] = TABLES['programs'] ?? []
  writeFolder(folder, {
    ...TABLES,
    challenges: [{ ...challenge, highlight: 'near' }],
    programs: [{ ...program }],
  })
  await command(folder, 'portfolio', 'load', join(folder, 'portfolio'))
  const { code, out } = await command(folder, 'check', 'texts')
  t.equal(code, 0)
  t.strictSame(
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    [
      ['ID', 'TEXT', 'LANG', 'FINDING'],
      ['acme', 'program', 'fr', 'has 0 of 1'],
      ['acme', 'challenge', 'fr', '7 is missing'],
      ['acme', 'challenge', 'en', '7 does not contain its highlight'],
    ],
  )
})

t.test('H1: the loaded portfolio is served, with real processes', async (t) => {
  const folder = t.testdir()
  writeFolder(folder)
  const { code, out, err } = await almoner(folder, ['portfolio', 'load', 'portfolio'])
  t.strictSame([code, err], [0, ''], 'no progress without a terminal')
  t.match(out, /2 organizations loaded/)
  const [logo] = readdirSync(join(folder, 'data/media/portfolio/logo'))
  t.match(readFileSync(join(folder, 'data/media/portfolio/logo', logo ?? ''), 'utf8'), /^<svg/)
})

t.test('on a terminal the progress is shown, and cleared at the end', async (t) => {
  const folder = t.testdir()
  const { code, out, err } = await watchedCommand(folder, 'portfolio', 'load', writeFolder(folder))
  t.equal(code, 0)
  t.match(err, 'checking images: 0 of 3')
  t.match(err, 'storing images: 2 of 3')
  t.ok(err.endsWith('\r\u001b[K'), 'the line is empty at the end')
  t.notMatch(out, 'images')
})
