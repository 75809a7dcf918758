import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PortfolioImageName } from '@almoner/domain/media'
import {
  EMPTY_PORTFOLIO,
  type PortfolioSource,
  readPortfolio,
  textFindings,
  withImages,
} from '@almoner/domain/portfolio'
import * as E from 'fp-ts/lib/Either.js'
import sharp from 'sharp'
import t from 'tap'
import challenges from '../../demo/portfolio/challenges.json' with { type: 'json' }
import introductions from '../../demo/portfolio/introductions.json' with { type: 'json' }
import organizations from '../../demo/portfolio/organizations.json' with { type: 'json' }
import portfolio from '../../demo/portfolio/portfolio.json' with { type: 'json' }
import programs from '../../demo/portfolio/programs.json' with { type: 'json' }
import sectors from '../../demo/portfolio/sectors.json' with { type: 'json' }
import summaries from '../../demo/portfolio/summaries.json' with { type: 'json' }

const FOLDER = join(import.meta.dirname, '../../demo/portfolio')
const LANGS = ['en', 'fr']
/** Bytes. */
const [MOST_OF_A_VISUAL, MOST_OF_THE_FOLDER] = [40_000, 1_500_000]

const distinct = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)].toSorted()
const ids = organizations.map(({ id }) => id)

/** The table has no cell in quotes, so that a comma always parts two cells. */
const [head = [], ...rows] = readFileSync(join(FOLDER, 'datasets.csv'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(','))
const datasets = rows.map((cells) =>
  Object.fromEntries(head.map((column, at) => [column, cells[at] ?? ''] as const)),
)

const source: PortfolioSource = {
  name: portfolio.name,
  tables: { sectors, organizations, introductions, summaries, programs, challenges, datasets },
  unread: [],
}

t.test('H1: the domain reads the files without errors, and no text is missing', async (t) => {
  const read = readPortfolio(source, EMPTY_PORTFOLIO)
  t.strictSame(E.isLeft(read) ? read.left : [], [])
  if (E.isLeft(read)) return
  const content = withImages((kind, file: string) => `${kind}/${file}` as PortfolioImageName)(read.right)
  t.strictSame(textFindings(content), [])
})

t.test('sectors and organizations', async (t) => {
  t.equal(sectors.length, 6)
  t.ok(organizations.length >= 24)
  t.strictSame(ids, distinct(ids), 'ids are unique and in order')
  t.ok(
    [...ids, ...sectors.map(({ sectorId }) => sectorId)].every((id) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)),
    'ids are slugs',
  )
  t.strictSame(
    distinct(organizations.map(({ since }) => since)),
    [2015, 2016, 2017, 2018],
    'every accepted value of `joined` is used',
  )
  t.ok(organizations.every(({ founded, since }) => founded >= 1990 && founded < since))
  t.strictSame(
    distinct(organizations.flatMap((organization) => organization.sectors)),
    sectors.map(({ sectorId }) => sectorId),
    'every sector is used',
  )
  t.ok(organizations.filter((organization) => organization.sectors.length === 2).length >= 10)
  t.ok(
    organizations.every(({ website }) => /^https:\/\/[a-z0-9-]+\.example\.(org|com)\/$/.test(website)),
    'no website is real',
  )
})

t.test('names cover the search: accents, signs, ligatures', async (t) => {
  const names = organizations.map(({ name }) => name)
  t.equal(distinct(names).length, names.length, 'names are unique')
  for (const part of ['École', '100%', 'œ', 'ã', 'Á', 'ướ', 'Işık', 'Ç', 'ë', 'Ș', 'Ż', 'Ñ', 'ö', '&'])
    t.ok(
      names.some((name) => name.includes(part)),
      part,
    )
  t.ok(
    names.every((name) => name === name.normalize('NFC')),
    'names are normalised as stored',
  )
})

t.test('every organization has its texts, in both languages', async (t) => {
  for (const id of ids) {
    const of = (texts: ReadonlyArray<{ readonly id: string; readonly lang: string }>) =>
      texts.filter((text) => text.id === id).map(({ lang }) => lang)
    const hers = challenges.filter(({ organization }) => organization === id)
    t.strictSame(of(introductions), LANGS, `${id}: introduction`)
    t.strictSame(of(summaries), LANGS, `${id}: summary`)
    const [programLangs, challengeLangs] = [of(programs), hers.map(({ lang }) => lang)]
    for (const langs of [programLangs, challengeLangs]) {
      t.ok(langs.length >= 2 && langs.length <= 6, `${id}: one to three`)
      t.ok(
        langs.every((lang, at) => lang === LANGS[at % 2]),
        `${id}: in both languages`,
      )
    }
    t.equal(distinct(hers.map((challenge) => challenge.id)).length * 2, hers.length, `${id}: challenges`)
  }
})

t.test('highlights occur in their texts and are less than the whole', async (t) => {
  for (const { text, highlight } of [...summaries, ...challenges])
    t.ok(text.includes(highlight) && highlight.length < text.length, highlight)
})

t.test('texts are complete, and none is repeated', async (t) => {
  const all = [
    ...introductions.map(({ lang, text }) => ({ lang, text })),
    ...summaries.map(({ lang, text }) => ({ lang, text })),
    ...challenges.map(({ lang, text }) => ({ lang, text })),
    ...programs.map(({ lang, programDescription }) => ({ lang, text: programDescription })),
  ]
  t.equal(distinct(all.map(({ text }) => text)).length, all.length)
  for (const { text } of all) t.match(text, /^\S.*[.!?]$/, 'begins without a blank and ends with punctuation')
  for (const { text } of introductions) {
    const sentences = text.match(/[.!?](?= |$)/g)?.length ?? 0
    t.ok(sentences >= 2 && sentences <= 4, `${sentences} sentences: ${text}`)
  }
  for (const { text } of [...all, ...programs.map(({ programTitle }) => ({ text: programTitle }))])
    t.notMatch(text, /['"]|\s\s| $/, 'typographic quotes, single spaces')
})

t.test('French uses its own spacing', async (t) => {
  const french = [...introductions, ...summaries, ...challenges]
    .filter(({ lang }) => lang === 'fr')
    .map(({ text }) => text)
  const titles = programs
    .filter(({ lang }) => lang === 'fr')
    .flatMap(({ programTitle, programDescription }) => [programTitle, programDescription])
  for (const text of [...french, ...titles])
    t.notMatch(text, /[^\u202F][;!?]|[^\u00A0][:»]|«[^\u00A0]|\d \d{3}/, text)
})

t.test('datasets', async (t) => {
  t.strictSame(
    head.join(' '),
    'id year beneficiaries ageFrom ageTo staffHeadcount budget budgetCurrency vrVideoUrl',
  )
  t.ok(
    rows.every((cells) => cells.length === head.length),
    'every row has every column',
  )
  for (const id of ids) {
    const hers = datasets.filter((dataset) => dataset['id'] === id)
    const years = hers.map((dataset) => Number(dataset['year']))
    t.ok(years.length >= 3 && years.length <= 5, `${id}: three to five years`)
    t.ok(
      years.every((year, at) => year === (years[0] ?? 0) + at && year >= 2018 && year <= 2025),
      `${id}: consecutive years`,
    )
    t.equal(distinct(hers.map((dataset) => dataset['budgetCurrency'])).length, 1, `${id}: one currency`)
    t.ok(hers.every((dataset) => Number(dataset['ageFrom']) < Number(dataset['ageTo'])))
  }
  const currencies = distinct(datasets.map((dataset) => dataset['budgetCurrency'] ?? ''))
  for (const currency of ['CHF', 'EUR', 'GBP', 'USD', 'XOF']) t.ok(currencies.includes(currency), currency)
  const videos = datasets.map((dataset) => dataset['vrVideoUrl'] ?? '').filter((url) => url !== '')
  t.ok(videos.length >= 5 && videos.length < datasets.length / 3, 'a few have a video')
  t.ok(videos.every((url) => /^https:\/\/video\.example\.org\/[a-z0-9/-]+$/.test(url)))
})

/** Pixels of a picture, by its folder. */
const SIZES = { logo: [100, 100], visual: [1200, 600] } as const
const KINDS = ['logo', 'visual'] as const

t.test('the folders have exactly the images that sectors and organizations name', async (t) => {
  const named = {
    logo: [...sectors, ...organizations].map(({ logo }) => logo),
    visual: organizations.map(({ visual }) => visual),
  }
  for (const kind of KINDS) t.strictSame(readdirSync(join(FOLDER, kind)).toSorted(), named[kind].toSorted())
  const texts = KINDS.flatMap((kind) =>
    named[kind].map((file) => readFileSync(join(FOLDER, kind, file), 'utf8')),
  )
  t.equal(distinct(texts).length, texts.length, 'all are different')
})

t.test('images are valid, small and have the sizes of the interface', async (t) => {
  const pictures = KINDS.flatMap((kind) => readdirSync(join(FOLDER, kind)).map((file) => ({ kind, file })))
  for (const { kind, file } of pictures) {
    const path = `${kind}/${file}`
    const svg = readFileSync(join(FOLDER, path), 'utf8')
    const [width, height] = SIZES[kind]
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
    t.ok(svg.slice(0, svg.indexOf('>')).endsWith(size), `${path}: ${size}`)
    const { format, ...drawn } = await sharp(Buffer.from(svg)).metadata()
    t.strictSame([format, drawn.width, drawn.height], ['svg', width, height], `${path} parses`)
    t.notMatch(svg, /<(?:script|style|image|use|text|foreignObject|a)\b|href|\bon\w+=|NaN|undefined/, path)
    t.notMatch(svg, /url\((?!#)/, `${path} refers to no other file`)
    t.ok(Buffer.byteLength(svg) <= MOST_OF_A_VISUAL, `${path} is small`)
  }
})

t.test('the whole folder is small', async (t) => {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const bytes = files.map((file) => statSync(join(file.parentPath, file.name)).size)
  t.ok(bytes.reduce((sum, size) => sum + size, 0) <= MOST_OF_THE_FOLDER)
})
