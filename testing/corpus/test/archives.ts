import { cp437, PROGRAMS, type Program, unicodePath, writeZip, type ZipFile } from './zip-writers.ts'

// Archives and folders of the corpus: a whole portfolio each, and what must happen when it is loaded (H5).

/** What a portfolio must give: it is taken with all its images, or refused with these beginnings of errors, in any order. */
export type PortfolioOutcome = 'taken' | ReadonlyArray<string>

/** An archive of the corpus. */
export interface CorpusArchive {
  /** The name in `testing/corpus/archives`. */
  readonly file: string
  /** The program of this machine that writes it; the script of the corpus does where there is none. */
  readonly writtenBy?: 'zip' | 'python'
  readonly files: ReadonlyArray<ZipFile>
  readonly content: Uint8Array
  readonly outcome: PortfolioOutcome
}

const svg = (width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="9" height="9" fill="#1f4e79"/></svg>`

/** The names of the sample's images as its rows have them. */
export const IMAGES = { logo: 'École-logo.svg', visual: 'façade.svg' }

/** The files of the sample: two organizations with accents in ids, texts and names of images. */
export const SAMPLE: ReadonlyArray<{ readonly name: string; readonly content: string }> = [
  { name: 'portfolio.json', content: '{"name": "Fondation Été"}' },
  { name: 'sectors.csv', content: 'sectorId;en;fr;logo\r\nsanté;Health;Santé;École-logo.svg\r\n' },
  {
    name: 'organizations.csv',
    content: [
      'id;name;since;founded;sectors;logo;visual',
      'acmé;École Acmé;2016;1999;santé;École-logo.svg;façade.svg',
      'zenith;Zenith;2017;2001;;École-logo.svg;façade.svg',
      '',
    ].join('\r\n'),
  },
  { name: 'introductions.csv', content: 'id;lang;text\r\nacmé;fr;Été à Évry\r\n' },
  { name: 'logo/École-logo.svg', content: svg(100, 100) },
  { name: 'visual/façade.svg', content: svg(1200, 600) },
]

/** The sample below a folder, with its names changed. */
export const sampleIn = (
  folder: string,
  change: (name: string) => string | Uint8Array = (name) => name,
): ReadonlyArray<ZipFile> =>
  SAMPLE.map(({ name, content }) => ({ name: change(`${folder}${name}`), content }))

const nfd = (name: string): string => name.normalize('NFD')

const file = (name: string, content = 'x'): ZipFile => ({ name, content })

/** Entries that macOS adds. */
const APPLE: ReadonlyArray<ZipFile> = [
  file('ours/.DS_Store', '\0\0\0\u0001Bud1'),
  file('__MACOSX/'),
  file('__MACOSX/ours/'),
  file('__MACOSX/ours/._organizations.csv', '\0\u0005\u0016\u0007'),
  file('__MACOSX/ours/logo/._E\u0301cole-logo.svg', '\0\u0005\u0016\u0007'),
  file('__MACOSX/._ours', '\0\u0005\u0016\u0007'),
]

/** Files that Windows adds. */
const MICROSOFT: ReadonlyArray<ZipFile> = [
  file('ours/desktop.ini', '[.ShellClassInfo]\r\n'),
  file('ours/logo/Thumbs.db'),
  file('ours/visual/Desktop.ini'),
]

const renamed = (from: string, to: string): ReadonlyArray<ZipFile> =>
  sampleIn('', (name) => (name === from ? to : name))

/** Portfolios that both archives and folders are made of: files by name, and the outcome. */
export const SHAPES: Readonly<Record<string, readonly [ReadonlyArray<ZipFile>, PortfolioOutcome]>> = {
  'as-it-is': [sampleIn(''), 'taken'],
  'mac-folder': [[...APPLE, ...sampleIn('ours/', nfd)], 'taken'],
  'windows-folder': [[...MICROSOFT, ...sampleIn('ours/')], 'taken'],
  'folders-in-folders': [sampleIn('Documents/2026/Portefeuille été/'), 'taken'],
  'images-in-another-case': [
    sampleIn('', (name) => name.replace('École-logo.svg', 'ÉCOLE-LOGO.SVG').replace('façade', 'Façade')),
    'taken',
  ],
  'tables-in-capitals': [sampleIn('', (name) => (name.includes('/') ? name : name.toUpperCase())), 'taken'],
  'logo-folder-in-capitals': [
    renamed('logo/École-logo.svg', 'Logo/École-logo.svg'),
    [
      'Logo/École-logo.svg: is no file of a portfolio: the nearest known name is logo/École-logo.svg',
      'sectors.csv:2: logo "École-logo.svg" names no file in logo/: add it, or correct the name',
      'organizations.csv:2: logo "École-logo.svg" names no file in logo/',
      'organizations.csv:3: logo "École-logo.svg" names no file in logo/',
    ],
  ],
  'unknown-files': [
    [...sampleIn('ours/'), file('ours/Organisations.xlsx'), file('ours/LISEZ-MOI.txt')],
    [
      'Organisations.xlsx: is no file of a portfolio: the nearest known name is organizations.csv',
      'LISEZ-MOI.txt: is no file of a portfolio: the nearest known name is ',
    ],
  ],
  'two-portfolios': [
    [...sampleIn('a/'), file('b/programs.csv', 'id,lang,programTitle,programDescription\n')],
    ['b/programs.csv: is no file of a portfolio: the nearest known name is programs.csv'],
  ],
  'image-in-a-folder-of-its-own': [
    [...sampleIn(''), file('logo/old/a.svg')],
    ['logo/old/a.svg: is no file of a portfolio: the nearest known name is logo/a.svg'],
  ],
  'csv-beside-json': [
    [...sampleIn(''), file('introductions.json', '[]')],
    ['introductions.csv: stands beside introductions.json: keep one of the two'],
  ],
  'no-portfolio': [[file('ours/logo/a.svg'), file('notes.txt')], ['holds no files of a portfolio']],
}

/** Shapes that not every disk can hold: two names that are alike. */
export const TWINS: typeof SHAPES = {
  'tables-that-differ-in-case': [
    [...sampleIn(''), file('Sectors.CSV', 'sectorId;logo\r\n')],
    ['Sectors.CSV: has the same name as sectors.csv'],
  ],
  'images-that-differ-in-case': [
    [...sampleIn(''), file('visual/FAÇADE.svg', svg(1200, 600))],
    ['visual/FAÇADE.svg: has the same name as visual/façade.svg'],
  ],
}

const archive = (
  name: string,
  program: Program,
  files: ReadonlyArray<ZipFile> = sampleIn(''),
  outcome: PortfolioOutcome = 'taken',
): CorpusArchive => ({ file: name, files, content: writeZip(files, program), outcome })

/** A name without accents, as old programs write what they cannot. */
const plain = (name: string): string => name.normalize('NFD').replaceAll(/\p{M}/gu, '_')

const REAL_NAMES = new Map(sampleIn('').map(({ name }) => [plain(String(name)), String(name)]))

const oldUnicode: Program = {
  ...PROGRAMS.oldInfoZip,
  extra: unicodePath((name) => REAL_NAMES.get(name.toString()) ?? name.toString()),
}

const folders = (prefix: string, separator = '/'): ReadonlyArray<ZipFile> =>
  [prefix, `${prefix}logo${separator}`, `${prefix}visual${separator}`]
    .filter((name) => name !== '')
    .map((name) => file(name, ''))

/** All archives. */
export const CORPUS_ARCHIVES: ReadonlyArray<CorpusArchive> = [
  archive('windows-explorer.zip', PROGRAMS.explorer, [...MICROSOFT, ...sampleIn('ours/', cp437)]),
  archive('windows-11-explorer.zip', PROGRAMS.explorer11, [
    ...MICROSOFT,
    ...folders('ours/'),
    ...sampleIn('ours/'),
  ]),
  archive('macos-archive-utility.zip', PROGRAMS.archiveUtility, [
    ...folders('ours/'),
    ...sampleIn('ours/', nfd),
    ...APPLE,
  ]),
  archive('macos-in-folders.zip', PROGRAMS.archiveUtility, sampleIn('Été/2026/ours/', nfd)),
  archive(
    '7-zip.zip',
    PROGRAMS.sevenZip,
    sampleIn('ours/').map((one) => ({ ...one, isStored: String(one.name).endsWith('.json') })),
  ),
  archive('utf-8-without-flag.zip', PROGRAMS.oldInfoZip),
  archive('unicode-path.zip', oldUnicode, sampleIn('', plain)),
  archive('backslashes.zip', PROGRAMS.dotNet4, [
    ...folders('ours\\', '\\'),
    ...sampleIn('ours/', (name) => name.replaceAll('/', '\\')),
  ]),
  archive('zip64.zip', PROGRAMS.zip64),
  archive('zip64-with-descriptors.zip', PROGRAMS.pythonStream),
  { ...archive('info-zip.zip', PROGRAMS.infoZip, sampleIn('ours/')), writtenBy: 'zip' },
  { ...archive('python.zip', PROGRAMS.python), writtenBy: 'python' },
  archive(
    'archive-in-an-archive.zip',
    PROGRAMS.python,
    [...sampleIn(''), { name: 'images.zip', content: writeZip(sampleIn(''), PROGRAMS.python) }],
    ['images.zip: is no file of a portfolio'],
  ),
  archive(
    'names-that-differ-in-form.zip',
    PROGRAMS.python,
    [...sampleIn(''), file(nfd('visual/façade.svg'), svg(1200, 600))],
    [`${nfd('visual/façade.svg')}: has the same name as visual/façade.svg`],
  ),
  ...Object.entries({ ...SHAPES, ...TWINS }).map(([name, [files, outcome]]) =>
    archive(`${name}.zip`, PROGRAMS.infoZip, files, outcome),
  ),
]
