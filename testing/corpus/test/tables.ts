// The tables of the corpus: each as a program writes it, and what must happen when it is loaded (H5). `write-tables.ts` writes the files.

/** What a file must give: the rows of its table, or the beginnings of its errors, in order. */
export type Outcome =
  | { readonly kind: 'taken'; readonly rows: ReadonlyArray<ReadonlyArray<string>> }
  | { readonly kind: 'refused'; readonly lines: ReadonlyArray<string> }

/** A file of the corpus. */
export interface CorpusTable {
  /** The name in `testing/corpus/tables`. */
  readonly file: string
  /** The name under which it is loaded. */
  readonly as: string
  readonly content: Uint8Array
  readonly outcome: Outcome
  /** Whether its name is not that of a table: another file has to be beside it for there to be a portfolio. */
  readonly isStrange?: true
}

type Rows = ReadonlyArray<ReadonlyArray<string>>

const INTRODUCTION_COLUMNS = ['id', 'lang', 'text']

const INTRODUCTIONS: Rows = [
  ['acme', 'fr', 'École « Acme » : l’eau, la vie ; ici'],
  ['acme', 'en', 'Water, "life";\nsecond line'],
  ['zenith', 'fr', 'Été à Évry – 100 € 😀'],
]

/** The same without letters that windows-1252 does not have. */
const WESTERN: Rows = INTRODUCTIONS.map((row) => row.map((cell) => cell.replace(' 😀', '')))

const DATASET_COLUMNS = ['id', 'year', 'beneficiaries', 'staffHeadcount', 'budget', 'budgetCurrency']

const DATASETS: Rows = [
  ['acme', '2016', '1200', '12', '250000', 'EUR'],
  ['zenith', '2017', '1450', '14', '1310000', 'CHF'],
]

interface Style {
  readonly separator?: string
  readonly end?: string
  /** Whether all cells are quoted, or only cells that need it. */
  readonly quoteAll?: boolean
  /** Whether the last row has no line end. */
  readonly isOpen?: boolean
}

/** Writes rows as CSV. */
const csv = (
  rows: Rows,
  { separator = ',', end = '\n', quoteAll = false, isOpen = false }: Style = {},
): string => {
  const cell = (text: string) =>
    quoteAll || text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const text = rows.map((row) => row.map(cell).join(separator)).join(end)
  return isOpen ? text : `${text}${end}`
}

const introductions = (style?: Style, rows: Rows = INTRODUCTIONS): string =>
  csv([INTRODUCTION_COLUMNS, ...rows], style)

const datasets = (style?: Style, rows: Rows = DATASETS): string => csv([DATASET_COLUMNS, ...rows], style)

const utf8 = (text: string): Uint8Array => Buffer.from(text)

const BOM = '\ufeff'

const utf16 = (text: string, { isBig = false, mark = BOM } = {}): Uint8Array => {
  const bytes = Buffer.from(`${mark}${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

/** The characters of two code pages above ASCII that the samples have. */
const PAGES = {
  'windows-1252': { '€': 0x80, '–': 0x96, '’': 0x92 },
  macintosh: { É: 0x83, é: 0x8e, à: 0x88, '«': 0xc7, '»': 0xc8, '’': 0xd5, '–': 0xd0, '€': 0xdb },
} as const

const inPage = (text: string, page: keyof typeof PAGES): Uint8Array =>
  Buffer.from(
    [...text].map((letter) => (PAGES[page] as Record<string, number>)[letter] ?? letter.charCodeAt(0)),
  )

const taken = (rows: Rows): Outcome => ({ kind: 'taken', rows })

const refused = (...lines: ReadonlyArray<string>): Outcome => ({ kind: 'refused', lines })

const table = (
  file: string,
  content: Uint8Array | string,
  outcome: Outcome = taken(INTRODUCTIONS),
  as = 'introductions.csv',
): CorpusTable => ({ file, as, content: typeof content === 'string' ? utf8(content) : content, outcome })

const figures = (
  file: string,
  content: Uint8Array | string,
  outcome: Outcome = taken(DATASETS),
): CorpusTable => table(file, content, outcome, 'datasets.csv')

const EXCEL_FR: Style = { separator: ';', end: '\r\n' }
const EXCEL_EN: Style = { separator: ',', end: '\r\n' }

const ENCODINGS: ReadonlyArray<CorpusTable> = [
  table('excel-fr-csv-utf-8.csv', `${BOM}${introductions(EXCEL_FR)}`),
  table('excel-en-csv-utf-8.csv', `${BOM}${introductions(EXCEL_EN)}`),
  table('excel-unicode-text.csv', utf16(introductions({ separator: '\t', end: '\r\n' }))),
  table('utf-16-big-endian.csv', utf16(introductions(EXCEL_FR), { isBig: true })),
  table('utf-16-without-mark.csv', utf16(introductions(EXCEL_FR), { mark: '' })),
  table(
    'utf-16-cut-in-a-letter.csv',
    utf16(introductions(EXCEL_FR)).slice(0, -1),
    refused('introductions.csv: is damaged text in UTF-16: save it again'),
  ),
  table(
    'excel-fr-windows-1252.csv',
    inPage(introductions(EXCEL_FR, WESTERN), 'windows-1252'),
    refused(
      'introductions.csv:2: text "École « Acme » : l eau, la vie ; ici" is not in UTF-8: save the file as "CSV UTF-8"',
    ),
  ),
  table(
    'excel-mac-macintosh.csv',
    inPage(introductions({ separator: ';', end: '\r' }, WESTERN), 'macintosh'),
    refused('introductions.csv:2: text "'),
  ),
  table(
    'windows-1252-on-line-4.csv',
    inPage('id,lang,text\nacme,en,"two\nlines"\nacme,fr,Santé\n', 'windows-1252'),
    refused('introductions.csv:4: text "Santé" is not in UTF-8: save the file as "CSV UTF-8"'),
  ),
  figures('excel-en-ansi.csv', datasets(EXCEL_EN)),
  table(
    'workbook-named-csv.csv',
    Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(40, 7)]),
    refused('introductions.csv: is a workbook or an archive: save it as "CSV UTF-8"'),
  ),
  table(
    'old-workbook-named-csv.csv',
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    refused('introductions.csv: is a workbook or an archive'),
  ),
]

const PROGRAMS: ReadonlyArray<CorpusTable> = [
  table('libreoffice.csv', introductions()),
  table('libreoffice-all-quoted.csv', introductions({ separator: ';', quoteAll: true })),
  table('google-sheets.csv', introductions({ end: '\r\n', isOpen: true })),
  table('numbers-fr.csv', introductions({ separator: ';', isOpen: true })),
  table('old-mac-line-ends.csv', introductions({ separator: ';', end: '\r' })),
  table('sep-semicolon.csv', `sep=;\r\n${introductions(EXCEL_FR)}`),
  table('sep-semicolon-with-mark.csv', `${BOM}sep=;\r\n${introductions(EXCEL_FR)}`),
  table('sep-tab.csv', `sep=\t\r\n${introductions({ separator: '\t', end: '\r\n' })}`),
  table('sep-pipe.csv', `SEP=|\n${introductions({ separator: '|' })}`),
  table('sep-that-is-wrong.csv', `sep=;\r\n${introductions(EXCEL_EN)}`),
  table(
    'sep-counts-as-a-line.csv',
    'sep=;\r\nid;lang;text\r\nacme;de;Hallo\r\n',
    refused('introductions.csv:3: lang "de" must be en or fr'),
  ),
  figures('excel-fr-figures.csv', `${BOM}${datasets(EXCEL_FR)}`),
  figures(
    'grouped-thousands.csv',
    datasets(EXCEL_FR, [
      ['acme', '2016', '1 200', '12', '250\u00a0000', 'EUR'],
      ['zenith', '2017', '1\u202f450', '14', '1\u202f310\u202f000', 'CHF'],
    ]),
  ),
  figures(
    'decimal-commas.csv',
    datasets(EXCEL_FR, [['acme', '2016', '1200', '12', '250000,50', 'EUR']]),
    refused('datasets.csv:2: budget "250000,50" must be a whole number from 0 to'),
  ),
]

const quiet = '\u00a0'

const ROWS_AND_CELLS: ReadonlyArray<CorpusTable> = [
  table(
    'rows-of-separators.csv',
    `;;\r\n${introductions(EXCEL_FR).replace('zenith', `;;\r\n${quiet};;\r\nzenith`)};;\r\n;;;;;;\r\n`,
  ),
  table(
    'non-breaking-spaces.csv',
    introductions(
      EXCEL_FR,
      INTRODUCTIONS.map((row) =>
        row.map((cell, at) => `${quiet}\u202f${cell}\u3000${at === 1 ? '\u200b' : ''} `),
      ),
    ),
  ),
  table(
    'non-breaking-spaces-in-the-head.csv',
    introductions().replace('id,lang,text', `${quiet}id${quiet},${quiet}lang,text${quiet}`),
  ),
  table(
    'line-ends-in-cells.csv',
    introductions(EXCEL_FR).replace('\nsecond', '\r\nsecond'),
    taken(INTRODUCTIONS.map((row) => row.map((cell) => cell.replace('\n', '\r\n')))),
  ),
  table(
    'smart-quotes-as-text.csv',
    introductions({}, [['acme', 'en', '“Water” and ‘life’']]),
    taken([['acme', 'en', '“Water” and ‘life’']]),
  ),
  table(
    'smart-quotes-as-quotes.csv',
    'id,lang,text\nacme,fr,“l’eau, la vie”\n',
    refused('introductions.csv:2: column 4 "la vie”" is one too many, as the head has 3'),
  ),
  table('head-in-capitals.csv', introductions().replace('id,lang,text', 'ID, Lang ,TEXT')),
  figures(
    'head-with-spaces.csv',
    datasets().replace(
      DATASET_COLUMNS.join(),
      'Id,Year,Beneficiaries,Staff Headcount,Budget,budget_currency',
    ),
  ),
  table(
    'columns-in-another-order.csv',
    csv([
      ['text', 'id', 'lang'],
      ...INTRODUCTIONS.map(([id = '', lang = '', text = '']) => [text, id, lang]),
    ]),
  ),
  table(
    'empty-columns-at-the-end.csv',
    introductions(EXCEL_FR).replace('id;lang;text', 'id;lang;text;;').replaceAll('ici"', 'ici";;;'),
  ),
  table(
    'value-in-a-column-without-name.csv',
    'id;lang;text;\r\nacme;fr;Bonjour;\r\nacme;en;Hello;a note\r\n',
    refused('introductions.csv:3: column 4 "a note" has no name in the head'),
  ),
  table('decomposed-letters.csv', introductions().normalize('NFD')),
  table(
    'long-value.csv',
    `id,lang,text\nacme,${'français '.repeat(9)},x\n`,
    refused(`introductions.csv:2: lang "${'français '.repeat(9).slice(0, 40)}…" must be en or fr`),
  ),
  table(
    'unknown-organization.csv',
    introductions({}, [['acmé', 'fr', 'x']]),
    refused('introductions.csv:2: id "acmé" is no organization of this portfolio: add it'),
  ),
  table(
    'quote-in-a-cell.csv',
    'id,lang,text\nacme,en,a 5" pipe\n',
    refused('introductions.csv:2: text "a 5" pipe " has quotes that are not'),
  ),
  table(
    'quote-never-closed.csv',
    'id,lang,text\nacme,en,"open\n',
    refused('introductions.csv:2: text ""open " has quotes that are not'),
  ),
]

const HEADS: ReadonlyArray<CorpusTable> = [
  table('head-alone.csv', `${BOM}id;lang;text\r\n`, taken([])),
  table(
    'without-head.csv',
    introductions().split('\n').slice(1).join('\n'),
    refused(
      'introductions.csv:1: must begin with the names of its columns: id, lang, text; it begins with "acme"',
    ),
  ),
  table(
    'no-bytes.csv',
    '',
    refused('introductions.csv:1: must begin with the names of its columns: id, lang, text'),
  ),
  table('mark-alone.csv', BOM, refused('introductions.csv:1: must begin with the names of its columns')),
  table(
    'separators-alone.csv',
    ';;;\r\n;;;\r\n',
    refused('introductions.csv:1: must begin with the names of its columns'),
  ),
  table(
    'unknown-column.csv',
    'id,langue,text\nacme,fr,x\n',
    refused(
      'introductions.csv:1: langue is no column of introductions: the nearest known name is lang',
      'introductions.csv:1: lacks the column lang: add it',
    ),
  ),
  table(
    'column-twice.csv',
    'id,lang,text,Text\nacme,fr,x,y\n',
    refused('introductions.csv:1: text is given twice'),
  ),
]

const json = (rows: Rows): string =>
  JSON.stringify(
    rows.map(([id, lang, text]) => ({ id, lang, text })),
    null,
    1,
  )

const named = (file: string, as: string, content: Uint8Array | string, outcome?: Outcome): CorpusTable =>
  table(file, content, outcome, as)

const strange = (...given: Parameters<typeof named>): CorpusTable => ({ ...named(...given), isStrange: true })

const NAMES: ReadonlyArray<CorpusTable> = [
  named('ending-in-capitals.csv', 'introductions.CSV', introductions()),
  named('name-in-capitals.csv', 'Introductions.csv', introductions()),
  named('json-in-capitals.json', 'INTRODUCTIONS.JSON', json(INTRODUCTIONS)),
  named('json-with-mark.json', 'introductions.json', `${BOM}${json(INTRODUCTIONS)}`),
  named('json-utf-16.json', 'introductions.json', utf16(json(INTRODUCTIONS))),
  named('json-empty.json', 'introductions.json', '[]', taken([])),
  named(
    'json-windows-1252.json',
    'introductions.json',
    inPage('[\n {"id": "acme",\n  "lang": "fr", "text": "Santé"}]', 'windows-1252'),
    refused('introductions.json:3: text "Santé" is not in UTF-8: save the file in UTF-8'),
  ),
  named(
    'json-cut-off.json',
    'introductions.json',
    json(INTRODUCTIONS).slice(0, 30),
    refused('introductions.json:'),
  ),
  strange(
    'misspelt.csv',
    'introduction.csv',
    introductions(),
    refused('introduction.csv: is no file of a portfolio: the nearest known name is introductions.csv'),
  ),
  strange(
    'workbook.csv',
    'Introductions.xlsx',
    'PK',
    refused('Introductions.xlsx: is no file of a portfolio: the nearest known name is introductions.csv'),
  ),
  strange(
    'hidden-ending.csv',
    'programmes.csv.txt',
    introductions(),
    refused('programmes.csv.txt: is no file of a portfolio: the nearest known name is programs.csv'),
  ),
  strange('notes.csv', 'README.md', '# Notes', refused('README.md: is no file of a portfolio')),
]

/** All tables of portfolios. */
export const CORPUS_TABLES: ReadonlyArray<CorpusTable> = [
  ...ENCODINGS,
  ...PROGRAMS,
  ...ROWS_AND_CELLS,
  ...HEADS,
  ...NAMES,
]

const USERS: Rows = [
  ['amina@example.org', 'fr', 'true'],
  ['ben@example.org', 'en', 'false'],
]

const users = (file: string, content: Uint8Array | string, outcome: Outcome = taken(USERS)): CorpusTable =>
  table(file, content, outcome, 'users.csv')

const USER_COLUMNS = ['email', 'lang', 'subscribed']

/** Files of users. */
export const CORPUS_USERS: ReadonlyArray<CorpusTable> = [
  users('users-google-sheets.csv', csv([USER_COLUMNS, ...USERS], { end: '\r\n', isOpen: true })),
  users(
    'users-excel-en.csv',
    `${BOM}email,lang,subscribed\r\namina@example.org,FR,TRUE\r\nben@example.org,EN,FALSE\r\n,,\r\n`,
  ),
  users(
    'users-excel-fr.csv',
    `${BOM}Email;Lang;Subscribed\r\nAmina@example.org;fr;VRAI\r\nben@example.org;en;FAUX\r\n`,
  ),
  users(
    'users-excel-unicode-text.csv',
    utf16(csv([USER_COLUMNS, ...USERS], { separator: '\t', end: '\r\n' })),
  ),
  users(
    'users-spaces.csv',
    csv([USER_COLUMNS, ...USERS.map((row) => row.map((cell) => `${quiet}${cell}\u202f`))]),
  ),
  users(
    'users-without-head.csv',
    csv(USERS),
    refused(
      'users.csv:1: must begin with the names of its columns: email, lang, subscribed, topics; it begins with "amina@example.org"',
    ),
  ),
  users(
    'users-windows-1252.csv',
    inPage('email;lang;subscribed\r\nrené@example.org;fr;1\r\n', 'windows-1252'),
    refused('users.csv:2: email "rené@example.org" is not in UTF-8: save the file as "CSV UTF-8"'),
  ),
  users(
    'users-bad-values.csv',
    'email;lang;subscribed\r\namina;de;oui\r\nben@example.org;en;1\r\nBEN@example.org;en;0\r\n',
    refused(
      'users.csv:2: email "amina" must be an email address',
      'users.csv:2: lang "de" must be en or fr',
      'users.csv:2: subscribed "oui" must be true or false',
      'users.csv:4: email "BEN@example.org" comes a second time: keep one of the two rows',
    ),
  ),
]

const LABELS: Rows = [
  ['santé', 'Health', 'Santé'],
  ['eau', 'Water', 'Eau'],
]

const labelsJson = (rows: Rows): string =>
  `[\n${rows.map(([labelId, en, fr]) => JSON.stringify({ labelId, en, fr })).join(',\n')}\n]\n`

const labels = (file: string, content: Uint8Array | string, outcome: Outcome = taken(LABELS)): CorpusTable =>
  table(file, content, outcome, 'labels.json')

/** Files of labels. */
export const CORPUS_LABELS: ReadonlyArray<CorpusTable> = [
  labels('labels.json', labelsJson(LABELS)),
  labels('labels-with-mark.json', `${BOM}${labelsJson(LABELS)}`),
  labels('labels-utf-16.json', utf16(labelsJson(LABELS))),
  labels('labels-decomposed.json', labelsJson(LABELS).normalize('NFD')),
  labels('labels-spaces.json', labelsJson(LABELS.map((row) => row.map((cell) => `${cell}${quiet}`)))),
  labels(
    'labels-windows-1252.json',
    inPage(labelsJson(LABELS), 'windows-1252'),
    refused('labels.json:2: labelId "santé" is not in UTF-8: save the file in UTF-8'),
  ),
  labels(
    'labels-bad-rows.json',
    `[\n{"labelId": "eau", "en": "${'Water '.repeat(60)}", "fr": "Eau"},\n5,\n{"labelId": "vie", "en": "Life"},\n{"labelId": "air", "en": "Air", "fr": "Air"},\n{"labelId": "air", "en": "Air", "fr": "Air"}]`,
    refused(
      `labels.json:2: en "${'Water '.repeat(60).slice(0, 40)}…" must have at most`,
      'labels.json:3: "5" must be an object with labelId, en and fr',
      'labels.json:4: fr is required',
      'labels.json:6: labelId "air" repeats air: keep one of the two',
    ),
  ),
]
