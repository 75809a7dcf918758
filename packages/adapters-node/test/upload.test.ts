import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EMPTY_PORTFOLIO, type UploadedFile } from '@almoner/domain/portfolio'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t, { type Test } from 'tap'
import { type OpenPortfolioOptions, openPortfolioUpload } from '../src/files/index.ts'
import {
  makeTemporaryFolder,
  removeAbandonedFolders,
  removeFolder,
} from '../src/files/upload/temporary-folder.ts'
import { type ZipEntry, zipOf } from './support/zip.ts'

interface SentFile {
  readonly name: string
  readonly content: string | Uint8Array
}

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

const entriesIn = (folder: string): ReadonlyArray<SentFile> =>
  Object.entries(FILES).map(([name, content]) => ({ name: `${folder}${name}`, content }))

const sent = async function* (files: ReadonlyArray<SentFile>): AsyncGenerator<UploadedFile> {
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
  const refused = async (files: ReadonlyArray<SentFile>): Promise<string> => {
    const result = await open(sent(files))()
    t.strictSame(left(), [], 'nothing is left')
    if (E.isRight(result) || result.left._tag !== 'UploadRefused') return 'taken, or a fault of ours'
    const { reason, file, message } = result.left
    return `${reason === 'bad' ? '' : `${reason}: `}${file ?? 'the upload'} ${message}`
  }
  return { open, left, refused }
}

const archive = (...entries: ReadonlyArray<ZipEntry>): ReadonlyArray<SentFile> => [
  { name: 'portfolio.zip', content: zipOf(...entries) },
]

t.test('H1: a folder and a zip archive are read alike, wherever the portfolio is in them', async (t) => {
  const { open, left } = openIn(t)
  const strangers = [
    { name: 'ours/.DS_Store', content: 'x' },
    { name: '__MACOSX/ours/._sectors.json', content: 'x' },
    { name: 'ours/logo/Thumbs.db', content: 'x' },
    { name: 'ours/Desktop.ini', content: 'x' },
    { name: './ours/notes/', content: '' },
  ]
  for (const files of [
    entriesIn(''),
    [...strangers, ...entriesIn('ours/')],
    archive(...entriesIn('')),
    archive(...strangers, ...entriesIn('ours/')),
    archive(...entriesIn('ours\\')),
  ]) {
    const opened = await done(open(sent(files)))
    t.match(await done(opened.draft.images()), [], 'no image is there')
    t.match(await done(opened.draft.check([], EMPTY_PORTFOLIO)), [
      { place: { file: 'organizations.json', line: 1 }, field: 'logo', message: /^names no file in logo\// },
      { place: { file: 'organizations.json', line: 1 }, field: 'visual' },
    ])
    await opened.close()
    t.strictSame(left(), [])
  }
})

t.test('H1: errors have the path below the folder, and the line', async (t) => {
  const { open } = openIn(t)
  const files = [
    ...entriesIn('ours/').slice(0, 3),
    { name: 'ours/datasets.csv', content: `${FILES['datasets.csv']}acme,soon,1,1,1,EUR\n` },
    { name: 'ours/progams.json', content: '[]' },
    { name: 'ours/logo/a.svg', content: '<svg/>' },
    { name: 'ours/visual/a.svg', content: '<svg/>' },
  ]
  const opened = await done(open(sent(files)))
  const images = await done(opened.draft.images())
  t.match(images, [
    { kind: 'logo', file: 'a.svg', use: { place: { file: 'organizations.json', line: 1 } } },
    { kind: 'visual', file: 'a.svg' },
  ])
  const results = images.map(({ kind, file }) => ({ kind, file, refusal: 'does not decode whole' }))
  t.match(
    (await done(opened.draft.check(results, EMPTY_PORTFOLIO))).map(({ place, field, message }) => ({
      ...place,
      field,
      message,
    })),
    [
      { file: 'datasets.csv', line: 3, field: 'year', message: /whole number/ },
      { file: 'organizations.json', line: 1, field: 'logo', message: 'does not decode whole' },
      { file: 'organizations.json', line: 1, field: 'visual', message: 'does not decode whole' },
      {
        file: 'progams.json',
        line: undefined,
        field: '',
        message: 'is no file of a portfolio: the nearest known name is programs.json',
      },
    ],
  )
  await opened.close()
})

/** Names that a person or a program may have given to a file, and their errors. */
const BAD_NAMES: ReadonlyArray<readonly [names: ReadonlyArray<string>, expected: string]> = [
  [['../evil.json'], '../evil.json leads out of its folder'],
  [['ours/../../evil.json'], 'ours/../../evil.json leads out of its folder'],
  [['..'], '.. leads out of its folder'],
  [['/evil.json'], '/evil.json leads out of its folder'],
  [['C:/evil.json'], 'C:/evil.json leads out of its folder'],
  [['..\\evil.json'], '..\\evil.json leads out of its folder'],
  [['ours//evil.json'], 'ours//evil.json has a folder without a name'],
  [['a\0b.json'], 'a?b.json has a control character in its name'],
  [['logo/a\nb.svg'], 'logo/a?b.svg has a control character in its name'],
  [[`logo/${'é'.repeat(130)}.svg`], `logo/${'é'.repeat(130)}.svg has a name of more than 255 bytes`],
  [[`${'x/'.repeat(600)}a.json`], `${'x/'.repeat(100)}… has a path of more than 1024 bytes`],
  [['logo/nul.svg'], 'logo/nul.svg has a name that Windows keeps for devices'],
  [['AUX.json'], 'AUX.json has a name that Windows keeps for devices'],
  [['logo/a.svg. '], 'logo/a.svg.  has a name that ends with a dot or a space'],
  [['logo./a.svg'], 'logo./a.svg has a name that ends with a dot or a space'],
  [['programs.json', 'programs.json'], 'programs.json is there twice: keep one of the two'],
  [
    ['programs.json', 'Programs.json'],
    'Programs.json has the same name as programs.json: keep one of the two',
  ],
  [
    ['logo/é.svg', 'logo/e\u0301.svg'],
    'logo/e\u0301.svg has the same name as logo/é.svg: keep one of the two',
  ],
  [['x.json', 'x.json/a.json'], 'x.json/a.json has a folder with the name of the file x.json'],
  [['x.json/a.json', 'x.json'], 'x.json is a file and a folder'],
  [['X.json/a.json', 'x.json'], 'x.json is a file and a folder'],
  [['logo', 'logo/a.svg'], 'logo/a.svg has a folder with the name of the file logo'],
]

t.test(
  'H4: a name that a file cannot have is refused with its reason, in a folder and in an archive',
  async (t) => {
    const { refused } = openIn(t)
    for (const [names, expected] of BAD_NAMES) {
      const files = names.map((name) => ({ name, content: '[]' }))
      t.equal(await refused([...entriesIn(''), ...files]), expected, `folder: ${names}`)
      t.equal(await refused(archive(...entriesIn(''), ...files)), expected, `archive: ${names}`)
    }
    t.equal(await refused(archive(...entriesIn(''), { name: '', content: '[]' })), ' has no name')
    const folder = [
      { name: 'x.json', content: '[]' },
      { name: 'x.json/', content: '' },
    ]
    t.equal(
      await refused(archive(...entriesIn(''), ...folder)),
      'x.json has a folder with the name of the file x.json',
    )
    t.equal(await refused(archive(...entriesIn(''), ...folder.toReversed())), 'x.json is a file and a folder')
  },
)

const DAMAGED = 'is damaged in the archive: it does not unpack to what the archive says of it'

t.test('H4: an entry that cannot be unpacked is refused by its name and with its reason', async (t) => {
  const { refused } = openIn(t)
  const entry = { name: 'programs.json', content: '[]' }
  for (const [over, expected] of [
    [{ flags: 0x0801 }, 'programs.json is encrypted: send the archive without a password'],
    [
      { method: 9 },
      'programs.json is packed by a method that is not supported (9): use the usual one, Deflate',
    ],
    [{ method: 12 }, /^programs\.json is packed by a method that is not supported \(12\)/],
    [{ method: 0 }, /^programs\.json is damaged in the archive/],
    [{ mode: 0o120777 }, 'programs.json is a link, or no regular file'],
    [{ mode: 0o010644 }, 'programs.json is a link, or no regular file'],
    [{ checksum: 7 }, 'programs.json is damaged in the archive: its checksum is wrong'],
    [{ claimed: 1 }, `programs.json ${DAMAGED}`],
    [{ claimed: 100 }, `programs.json ${DAMAGED}`],
  ] as const)
    t.match(await refused(archive(...entriesIn(''), { ...entry, ...over })), expected, JSON.stringify(over))
  const link = { name: '__MACOSX/._x', content: 'x', mode: 0o120777 }
  t.equal(await refused(archive(link)), 'the upload holds no files of a portfolio', 'others do not matter')
})

t.test('H4: an archive that is damaged as a whole is refused with its reason', async (t) => {
  const { refused } = openIn(t)
  const whole = zipOf(...entriesIn(''))
  const named = (content: Uint8Array) => [{ name: 'a.zip', content }]
  const split = Buffer.from(whole)
  split.writeUInt16LE(1, whole.length - 22 + 4)
  const moved = Buffer.from(whole)
  moved.writeUInt32LE(0xfffff, whole.length - 22 + 16)
  const broken = Buffer.from(whole)
  broken.fill(0xff, 45, 60)
  for (const [content, expected] of [
    [Buffer.from('no archive'), /^a\.zip is no zip archive that can be read: it may have been cut off$/],
    [Buffer.alloc(0), /^a\.zip is no zip archive that can be read/],
    [whole.subarray(0, -10), /^a\.zip is no zip archive that can be read: it may have been cut off$/],
    [split, /^a\.zip is one part of an archive that was split/],
    [moved, /^a\.zip is no zip archive that can be read$/],
    [broken, new RegExp(`^portfolio.json ${DAMAGED}|^portfolio.json is damaged`)],
  ] as const)
    t.match(await refused(named(content)), expected)
  for (let end = 1; end < whole.length; end += 37)
    t.match(await refused(named(whole.subarray(0, end))), /^a\.zip is no zip archive/, `cut at ${end}`)
})

t.test('H4: an archive is limited by its unpacked size, not by the size that it claims', async (t) => {
  const { refused } = openIn(t, { unpacked: { files: 10, bytes: 1024 * 1024 } })
  const zeros = Buffer.alloc(4 * 1024 * 1024)
  const bomb = { name: 'logo/bomb.svg', content: zeros }
  const tooMuch = 'too-large: logo/bomb.svg is too much: all files of a portfolio have at most 1 MiB'
  t.equal(await refused(archive(...entriesIn(''), bomb)), tooMuch)
  t.equal(await refused(archive(...entriesIn(''), { ...bomb, claimed: 10 })), `logo/bomb.svg ${DAMAGED}`)
  const halves = ['a', 'b'].map((name) => ({ name: `logo/${name}.svg`, content: zeros.subarray(0, 700_000) }))
  t.equal(
    await refused(archive(...entriesIn(''), ...halves)),
    'too-large: logo/b.svg is too much: all files of a portfolio have at most 1 MiB',
  )
  const many = Array.from({ length: 11 }, (_, at) => ({ name: `logo/${at}.svg`, content: 'x' }))
  t.equal(
    await refused(archive(...entriesIn(''), ...many)),
    'too-large: logo/6.svg is one file too many: a portfolio has at most 10 files',
  )
})

t.test('H4: a folder is limited in files and bytes, and each table in bytes', async (t) => {
  const { refused } = openIn(t, { uploaded: { files: 5, bytes: 1024 * 1024 } })
  const one = { name: 'visual/a.jpg', content: Buffer.alloc(1024 * 1024) }
  t.equal(
    await refused([...entriesIn(''), one]),
    'too-large: visual/a.jpg is too much: all files of a portfolio have at most 1 MiB',
  )
  const two = [1, 2].map((at) => ({ name: `logo/${at}.svg`, content: 'x' }))
  t.equal(
    await refused([...entriesIn(''), ...two]),
    'too-large: logo/2.svg is one file too many: a portfolio has at most 5 files',
  )
  const table = { name: 'ours/programs.csv', content: Buffer.alloc(64 * 1024 * 1024 + 1, '\n') }
  t.equal(await openIn(t).refused(archive(table)), 'too-large: ours/programs.csv has more than 64 MiB')
})

t.test('an upload without a portfolio is refused', async (t) => {
  const { refused } = openIn(t)
  t.equal(await refused([]), 'the upload holds no files of a portfolio')
  t.equal(await refused([{ name: 'photo.jpg', content: 'x' }]), 'the upload holds no files of a portfolio')
})

t.test(
  'H4: one upload is read at a time, and one whose client goes away while it waits is not',
  async (t) => {
    const { open, left } = openIn(t)
    const first = await done(open(sent(entriesIn(''))))
    const [gone, second] = [new AbortController(), open(sent(entriesIn('')))()]
    const third = open(sent(entriesIn('')), gone.signal)()
    gone.abort(new Error('gone'))
    t.same(await done(first.draft.images()), [])
    await first.close()
    const opened = await second
    if (E.isLeft(opened)) throw new Error('the second was refused')
    await opened.right.close()
    t.match(await third, { left: { _tag: 'Unavailable' } })
    t.strictSame(left(), [])
  },
)

t.test('H4: an upload that waits for too long is refused, and the next one is read', async (t) => {
  const { open, left } = openIn(t, { mostWaiting: 1 })
  const first = await done(open(sent(entriesIn(''))))
  t.match(await open(sent(entriesIn('')))(), { left: { _tag: 'Unavailable' } })
  await first.close()
  const next = await done(open(sent(entriesIn(''))))
  await next.close()
  t.strictSame(left(), [])
})

t.test('H4: reading ends when the client goes away, and leaves nothing', async (t) => {
  const { open, left } = openIn(t)
  const gone = new AbortController()
  const opened = await done(open(sent(entriesIn('')), gone.signal))
  const images = opened.draft.images()()
  gone.abort(new Error('gone'))
  t.match(await images, { left: { _tag: 'Unavailable' } })
  t.match(await opened.draft.check([], EMPTY_PORTFOLIO)(), { left: { _tag: 'Unavailable' } })
  t.match(await opened.read('logo', 'a.svg' as never)(), { left: { _tag: 'Unavailable' } })
  await opened.close()
  t.strictSame(left(), [])
})

t.test('H4: a portfolio that takes more memory than reading may is refused with the file', async (t) => {
  const { open, left } = openIn(t, { memory: 24 })
  const row = JSON.stringify({ ...ORGANIZATION, sectors: Array.from({ length: 40 }, (_, at) => `s${at}`) })
  const organizations = `[${Array.from({ length: 20_000 }, () => row).join(',')}]`
  const opened = await done(open(sent([{ name: 'organizations.json', content: organizations }])))
  t.match(await opened.draft.images()(), {
    left: { _tag: 'UploadRefused', reason: 'too-large', file: 'organizations.json', message: /more memory/ },
  })
  await opened.close()
  t.strictSame(left(), [])
  const next = await done(open(sent(entriesIn(''))))
  t.same(await done(next.draft.images()), [], 'and the next one is read')
  await next.close()
})

t.test('H4: what JSON repeats without end takes no memory: its place is named', async (t) => {
  const { open } = openIn(t, { memory: 24 })
  for (const [content, message] of [
    [
      `[{"id":"${'\\u00e9'.repeat(2_000_000)}"}]`,
      `id "${'é'.repeat(40)}…" must have at most 65536 characters`,
    ],
    [`[{"${'\\t'.repeat(6_000_000)}":1}]`, 'has more than 100 fields, or one with too long a name'],
    [`[${' '.repeat(12_000_000)}]`, 'has more than 65536 blanks in a row from here on'],
    [`[${'\n'.repeat(12_000_000)}]`, 'has more than 65536 blanks in a row from here on'],
  ] as const) {
    const opened = await done(open(sent([{ name: 'datasets.json', content }])))
    await done(opened.draft.images())
    const faults = await done(opened.draft.check([], EMPTY_PORTFOLIO))
    t.match(
      faults.filter(({ place }) => place?.file === 'datasets.json'),
      [{ message, place: { line: 1 } }],
    )
    await opened.close()
  }
})

t.test('H4: a folder is deleted with all that is in it, if it is still there', async (t) => {
  const parent = t.testdir({ upload: { sent: { logo: { 'a.svg': '', '.b': '' } }, empty: {} }, other: '' })
  symlinkSync(join(parent, 'other'), join(parent, 'upload', 'link'))
  await removeFolder(join(parent, 'upload'))
  t.strictSame(readdirSync(parent), ['other'])
  await removeFolder(join(parent, 'upload'))
})

t.test(
  'H4: folders that dead processes left are deleted at the start, those of living ones never',
  async (t) => {
    const parent = t.testdir()
    const ours = await makeTemporaryFolder(parent)
    const owner = JSON.parse(readFileSync(join(ours, 'owner.json'), 'utf8')) as object
    const make = (name: string, over?: object, days = 0) => {
      const folder = join(parent, name)
      mkdirSync(folder)
      if (over !== undefined) writeFileSync(join(folder, 'owner.json'), JSON.stringify({ ...owner, ...over }))
      const then = Date.now() / 1000 - days * 24 * 60 * 60
      utimesSync(folder, then, then)
    }
    make('almoner-portfolio-dead', { pid: 2 ** 22 + 1 })
    make('almoner-portfolio-reused', { began: '1' })
    make('almoner-portfolio-elsewhere', { place: 'another machine', pid: 2 ** 22 + 1 })
    make('almoner-portfolio-old-elsewhere', { place: 'another machine' }, 8)
    make('almoner-portfolio-new', undefined)
    make('almoner-portfolio-old', undefined, 8)
    make('other', undefined, 8)
    await removeAbandonedFolders(parent)
    t.strictSame(
      readdirSync(parent).toSorted(),
      [
        'almoner-portfolio-elsewhere',
        'almoner-portfolio-new',
        ours.slice(parent.length + 1),
        'other',
      ].toSorted(),
    )
  },
)
