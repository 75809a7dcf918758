import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { onStore } from '../../../apps/almoner/test/support/database.ts'
import { inFolder } from '../../../apps/almoner/test/support/in-process.ts'
import { faultText } from '../../../packages/console/src/messages/fr/portfolio-faults.ts'
import { type PortfolioContent, storedImagesOf } from '../../../packages/domain/src/portfolio/index.ts'
import { done } from '../../../packages/testkit/src/contracts/index.ts'
import { CORPUS_ARCHIVES, type PortfolioOutcome, SHAPES, TWINS } from './archives.ts'
import { CORPUS_LABELS, CORPUS_TABLES, CORPUS_USERS, type CorpusTable } from './tables.ts'
import { type Given, type Loaded, onDisk, openWaysIn, type WayIn } from './ways-in.ts'

// H5: every table and archive of the corpus through every way in. Each gives the stated outcome, and all agree.

const FOLDER = join(import.meta.dirname, '..')
const [TABLES, ARCHIVES] = [join(FOLDER, 'tables'), join(FOLDER, 'archives')]

/** Bytes of both folders. */
const MOST = 1.5 * 1024 * 1024

t.test('the corpus consists of the files that it states, and stays small', async (t) => {
  const stated = [
    [TABLES, [...CORPUS_TABLES, ...CORPUS_USERS, ...CORPUS_LABELS]],
    [ARCHIVES, CORPUS_ARCHIVES],
  ] as const
  let bytes = 0
  for (const [folder, files] of stated) {
    const names = readdirSync(folder).sort()
    t.strictSame(names, files.map(({ file }) => file).sort())
    for (const name of names) bytes += statSync(join(folder, name)).size
  }
  for (const { file, content } of stated[0][1])
    t.ok(readFileSync(join(TABLES, file)).equals(content), `${file} is as the script writes it`)
  t.ok(bytes < MOST, `${bytes} bytes`)
})

/** The portfolio that is there before each table is loaded. */
const BEFORE = [
  { name: 'portfolio.json', content: '{"name": "Ours"}' },
  { name: 'sectors.json', content: '[{"sectorId": "water", "en": "Water", "logo": "a.svg"}]' },
  {
    name: 'organizations.json',
    content: JSON.stringify(
      ['acme', 'zenith'].map((id) => ({
        id,
        name: id,
        since: 2016,
        founded: 1999,
        logo: 'a.svg',
        visual: 'a.svg',
      })),
    ),
  },
  ...['logo', 'visual'].map((kind) => ({
    name: `${kind}/a.svg`,
    content:
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="9" height="9"/></svg>',
  })),
]

const ROWS: Readonly<Record<string, (content: PortfolioContent) => ReadonlyArray<ReadonlyArray<unknown>>>> = {
  introductions: ({ introductions }) =>
    introductions.map(({ organization, lang, text }) => [organization, lang, text]),
  datasets: ({ datasets }) =>
    datasets.map((row) => [
      ...[row.organization, row.year, row.beneficiaries, row.staffHeadcount, row.budget, row.budgetCurrency],
    ]),
}

const sortedTexts = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<string> =>
  rows.map((row) => JSON.stringify(row.map(String))).toSorted()

/** Compares errors: each begins as stated, and none is missing or more. */
const seeLines = (
  t: Test,
  lines: ReadonlyArray<string>,
  stated: ReadonlyArray<string>,
  name: string,
): void => {
  const unsaid = stated.filter((start) => !lines.some((line) => line.startsWith(start)))
  t.strictSame([unsaid, lines.length], [[], stated.length], `${name}: ${lines.join(' | ')}`)
}

const linesOf = (loaded: Loaded): ReadonlyArray<string> => ('lines' in loaded ? loaded.lines : ['was taken'])

const seeTable = (t: Test, { as, outcome }: CorpusTable, loaded: Loaded, name: string): void => {
  if (outcome.kind === 'refused' || 'lines' in loaded) {
    seeLines(t, linesOf(loaded), outcome.kind === 'refused' ? outcome.lines : [], name)
    return
  }
  const table = as.toLowerCase().replace(/\..*$/, '')
  t.strictSame(sortedTexts(ROWS[table]?.(loaded.content) ?? []), sortedTexts(outcome.rows), name)
  const load = outcome.rows.length === 0 ? 'emptied' : 'replaced'
  t.match(loaded.loads, { [table]: load, organizations: 'left', sectors: 'left' }, name)
  t.equal(loaded.content.name, 'Ours', name)
}

/** Loads files through every way in, sees what each gives, and that all say the same. */
const throughAll = async (
  t: Test,
  ways: ReadonlyArray<WayIn>,
  given: Given,
  see: (loaded: Loaded, name: string) => void,
): Promise<void> => {
  const results = await Promise.all(ways.map(async ({ name, load }) => ({ name, loaded: await load(given) })))
  for (const { name, loaded } of results) see(loaded, name)
  const lines = results.map(({ loaded }) => ('lines' in loaded ? loaded.lines : []))
  for (const line of lines[0] ?? []) {
    const [, text] = /^[^:]*(?::\d+)?: (.*)$/.exec(line) ?? []
    if (text !== undefined) t.not(faultText(text), text, 'M8: the French console says it in French')
  }
  for (const other of lines.slice(1)) t.strictSame(other, lines[0], 'all ways in say the same')
}

t.test('H5: each table gives what it states, through package, console and command line', async (t) => {
  const folder = t.testdir({})
  const ways = await openWaysIn(folder)
  t.teardown(() => Promise.all(ways.map(({ end }) => end())))
  const before = onDisk(join(folder, 'before'), BEFORE)
  for (const { load } of ways) t.ok('content' in (await load(before)), 'the portfolio before')
  for (const table of CORPUS_TABLES)
    await t.test(table.file, async (t) => {
      const content = readFileSync(join(TABLES, table.file))
      const given = onDisk(join(folder, table.file), [
        { name: table.as, content },
        ...(table.isStrange ? [{ name: 'portfolio.json', content: '{"name": "Ours"}' }] : []),
      ])
      await throughAll(t, ways, given, (loaded, name) => seeTable(t, table, loaded, name))
    })
})

const seePortfolio = (t: Test, outcome: PortfolioOutcome, loaded: Loaded, name: string): void => {
  if (outcome !== 'taken' || 'lines' in loaded) {
    seeLines(t, linesOf(loaded), outcome === 'taken' ? [] : outcome, name)
    return
  }
  const { content } = loaded
  t.match(
    content,
    {
      name: 'Fondation Été',
      sectors: [{ id: 'santé' }],
      organizations: [{ id: 'acmé', name: 'École Acmé', sectors: ['santé'] }, { id: 'zenith' }],
      introductions: [{ organization: 'acmé', text: 'Été à Évry' }],
    },
    name,
  )
  t.same(
    storedImagesOf(content).map((image) => `${image.kind}/${image.name.replace(/\.[0-9a-f]{16}\./, '.')}`),
    ['logo/Ecole-logo.svg', 'visual/facade.svg'],
    name,
  )
}

t.test('H5: each archive gives what it states, through package, console and command line', async (t) => {
  const folder = t.testdir({})
  const ways = await openWaysIn(folder)
  t.teardown(() => Promise.all(ways.map(({ end }) => end())))
  for (const { file, outcome } of CORPUS_ARCHIVES)
    await t.test(file, async (t) => {
      const path = join(ARCHIVES, file)
      const given = { path, files: [{ name: file, content: readFileSync(path) }] }
      await throughAll(t, ways, given, (loaded, name) => seePortfolio(t, outcome, loaded, name))
    })
})

t.test('H5: each folder gives what it states, through package, console and command line', async (t) => {
  const folder = t.testdir({})
  const ways = await openWaysIn(folder)
  t.teardown(() => Promise.all(ways.map(({ end }) => end())))
  // A disk that ignores case cannot hold them.
  const isExact = !readdirSync(import.meta.dirname).includes('TABLES.TS') && process.platform === 'linux'
  for (const [shape, [files, outcome]] of Object.entries(isExact ? { ...SHAPES, ...TWINS } : SHAPES))
    await t.test(shape, async (t) => {
      const given = onDisk(join(folder, shape), files)
      await throughAll(t, ways, given, (loaded, name) => seePortfolio(t, outcome, loaded, name))
    })
})

/** Compares the outcome of a command on a file, and the rows that are stored afterwards. */
const seeCommand = async (
  t: Test,
  { file, as, outcome }: CorpusTable,
  words: ReadonlyArray<string>,
  stored: (folder: string) => Promise<ReadonlyArray<ReadonlyArray<unknown>>>,
): Promise<void> => {
  const folder = t.testdir({ [as]: readFileSync(join(TABLES, file)) })
  const { code, err } = await inFolder(folder, [...words, join(folder, as)])
  const lines = err.split('\n').filter((line) => line !== '')
  const said = lines.map((line) => line.replace('almoner: ', '').replace(`${folder}/`, ''))
  t.equal(code, outcome.kind === 'taken' ? 0 : 1, said.join(' | '))
  if (outcome.kind === 'refused') seeLines(t, said, outcome.lines, file)
  else t.strictSame(sortedTexts(await stored(folder)), sortedTexts(outcome.rows))
}

t.test('F2, H5: each file of users gives what it states', async (t) => {
  for (const users of CORPUS_USERS)
    await t.test(users.file, (t) =>
      seeCommand(t, users, ['user', 'import'], (folder) =>
        onStore(folder, async (store) => {
          const rows: Array<ReadonlyArray<unknown>> = []
          for await (const batch of store.users.all())
            rows.push(...batch.map(({ email, lang, subscribed }) => [email, lang, subscribed]))
          return rows
        }),
      ),
    )
})

t.test('E1, H5: each file of labels gives what it states', async (t) => {
  for (const labels of CORPUS_LABELS)
    await t.test(labels.file, (t) =>
      seeCommand(t, labels, ['labels', 'load'], (folder) =>
        onStore(folder, async (store) =>
          (await done(store.labels.all())).map(({ labelId, en, fr }) => [labelId, en, fr]),
        ),
      ),
    )
})
