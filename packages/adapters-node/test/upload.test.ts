import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { done } from '@almoner/domain/contracts'
import { type PortfolioFault, readPortfolio, type UploadedFile } from '@almoner/domain/portfolio'
import * as E from 'fp-ts/lib/Either.js'
import t, { type Test } from 'tap'
import { type OpenPortfolioOptions, openPortfolioUpload } from '../src/files/index.ts'
import { type ZipEntry, zipOf } from './support/zip.ts'

const ORGANIZATION = {
  ...{ id: 'acme', name: 'Acme', since: 2016, founded: 1999, logo: 'a.svg', visual: 'a.svg' },
}

/** The files of a small portfolio, without images. */
const FILES: Readonly<Record<string, string>> = {
  'portfolio.json': '{"name":"Ours"}',
  'sectors.json': '[]',
  'organizations.json': JSON.stringify([ORGANIZATION]),
  'datasets.csv': 'id,year,beneficiaries,staffHeadcount,budget,budgetCurrency\nacme,2016,1,1,1,EUR\n',
}

const entriesIn = (folder: string): ReadonlyArray<ZipEntry> =>
  Object.entries(FILES).map(([name, content]) => ({ name: `${folder}${name}`, content }))

const sent = async function* (files: ReadonlyArray<ZipEntry>): AsyncGenerator<UploadedFile> {
  for (const { name, content } of files)
    yield {
      path: name,
      content: (async function* () {
        yield Buffer.from(content)
      })(),
    }
}

const openIn = (t: Test, options: OpenPortfolioOptions = {}) => {
  const temporary = join(t.testdir(), 'temporary')
  mkdirSync(temporary)
  const open = openPortfolioUpload({ temporary, ...options })
  const left = () => readdirSync(temporary)
  const refused = async (files: ReadonlyArray<ZipEntry>): Promise<string> => {
    const result = await open(sent(files))()
    t.strictSame(left(), [], 'nothing is left')
    return E.isLeft(result) && result.left._tag === 'UploadRefused' ? result.left.message : 'taken'
  }
  return { open, left, refused }
}

const archive = (...entries: ReadonlyArray<ZipEntry>): ReadonlyArray<ZipEntry> => [
  { name: 'portfolio.zip', content: zipOf(...entries) },
]

t.test('H1: a folder and a zip archive are read alike, wherever the portfolio is in them', async (t) => {
  const { open, left } = openIn(t)
  const strangers = [
    { name: 'ours/.DS_Store', content: 'x' },
    { name: '__MACOSX/ours/._sectors.json', content: 'x' },
    { name: 'ours/README.txt', content: 'x' },
  ]
  for (const files of [
    entriesIn(''),
    [...strangers, ...entriesIn('ours/')],
    archive(...entriesIn('')),
    archive(...strangers, ...entriesIn('ours/')),
  ]) {
    const opened = await done(open(sent(files)))
    t.equal(opened.isBroken, false)
    t.match(E.getOrElseW(() => undefined)(readPortfolio(opened.source)), {
      name: 'Ours',
      organizations: [{ id: 'acme' }],
      datasets: [{ year: 2016 }],
    })
    await opened.close()
    t.strictSame(left(), [])
  }
})

t.test('H1: errors have the path below the folder, and the line', async (t) => {
  const { open } = openIn(t)
  const files = [...entriesIn('ours/'), { name: 'ours/progams.json', content: '[]' }]
  const opened = await done(open(sent(files)))
  t.equal(opened.isBroken, true)
  const fault: PortfolioFault = { table: 'datasets', row: 0, field: 'year', message: 'must be a year' }
  t.strictSame(opened.faultsWith([fault]), [
    { file: 'datasets.csv', line: 2, text: 'year must be a year' },
    { file: 'progams.json', line: undefined, text: 'is no table of a portfolio' },
  ])
  await opened.close()
})

t.test('paths that lead out of the upload are refused, and nothing is written', async (t) => {
  const { refused } = openIn(t)
  for (const name of ['../evil.json', 'ours/../../evil.json', '/evil.json', 'C:/evil.json']) {
    t.equal(await refused([{ name, content: '[]' }]), 'names a file outside its folder', name)
    t.equal(
      await refused(archive(...entriesIn(''), { name, content: '[]' })),
      'is no zip archive that can be read',
      name,
    )
  }
})

t.test('an archive is limited by its unpacked size, not by the size that it claims', async (t) => {
  const { refused } = openIn(t, { unpacked: { files: 10, bytes: 1024 * 1024 } })
  const zeros = Buffer.alloc(4 * 1024 * 1024)
  const bomb = { name: 'logo/bomb.svg', content: zeros }
  t.equal(await refused(archive(...entriesIn(''), bomb)), 'has more than 1 MiB')
  t.equal(
    await refused(archive(...entriesIn(''), { ...bomb, claimed: 10 })),
    'is no zip archive that can be read',
  )
  const many = Array.from({ length: 11 }, (_, at) => ({ name: `logo/${at}.svg`, content: 'x' }))
  t.equal(await refused(archive(...entriesIn(''), ...many)), 'has more than 10 files')
})

t.test('an upload is limited in files and bytes', async (t) => {
  const { refused } = openIn(t, { uploaded: { files: 5, bytes: 1024 * 1024 } })
  const one = { name: 'visual/a.jpg', content: Buffer.alloc(1024 * 1024) }
  t.equal(await refused([...entriesIn(''), one]), 'has more than 1 MiB')
  const two = [1, 2].map((at) => ({ name: `logo/${at}.svg`, content: 'x' }))
  t.equal(await refused([...entriesIn(''), ...two]), 'has more than 5 files')
})

t.test('an upload without a portfolio is refused', async (t) => {
  const { refused } = openIn(t)
  t.equal(await refused([]), 'holds no files of a portfolio')
  t.equal(await refused([{ name: 'photo.jpg', content: 'x' }]), 'holds no files of a portfolio')
  t.equal(await refused([{ name: 'a.zip', content: 'no archive' }]), 'is no zip archive that can be read')
  const twice = { name: 'sectors.json', content: '[]' }
  t.equal(await refused([twice, twice]), 'has the file sectors.json twice')
})
