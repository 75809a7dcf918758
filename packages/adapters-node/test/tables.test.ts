import {
  columnsOf,
  EMPTY_PORTFOLIO,
  PORTFOLIO_TABLES,
  type PortfolioContent,
  type PortfolioSource,
  portfolioFiles,
  ROWS,
  readPortfolio,
  withImages,
} from '@almoner/domain/portfolio'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { csvTable, readCsv } from '../src/files/csv.ts'
import { readJsonFile } from '../src/files/json-rows.ts'
import { FileError, FileTooLarge, makeReading, type Reading, TooManyFaults } from '../src/files/reading.ts'

const COLUMNS = { table: 'texts', all: ['id', 'text'], required: ['id'] }
const MIB = 1024 * 1024

/** Reads a file as far as it goes: its rows, its errors, and how reading ended. */
const outcome = (read: (reading: Reading) => number) => {
  const reading = makeReading()
  const told = () => reading.faults.map(({ line, text }) => `${line}: ${text}`)
  try {
    return { rows: read(reading), end: 'whole', faults: told() }
  } catch (cause) {
    if (cause instanceof FileError)
      return { rows: 0, end: `${cause.fault.line}: ${cause.message}`, faults: told() }
    if (cause instanceof TooManyFaults) return { rows: 0, end: 'too many errors', faults: told() }
    if (cause instanceof FileTooLarge) return { rows: 0, end: 'too large', faults: told() }
    throw cause
  }
}

const csv = (content: string | Buffer) =>
  outcome((reading) => csvTable('a.csv', Buffer.from(content as string), COLUMNS, reading).rows.length)

const json = (content: string | Buffer) =>
  outcome(
    (reading) => readJsonFile('a.json', Buffer.from(content as string), reading).rows?.rows.length ?? -1,
  )

t.test(
  'H4: a table has at most 100,000 rows, which an error of the first that is too many says',
  async (t) => {
    const last = '100002: is row 100001: a table has at most 100000 rows'
    t.match(csv(`id\n${'a\n'.repeat(100_000)}`), { rows: 100_000, faults: [] })
    t.match(csv(`id\n${'a\n'.repeat(100_001)}`), { rows: 100_000, faults: [last] })
    t.match(json(`[\n${'{"id":1},\n'.repeat(99_999)}{}]`), { rows: 100_000, end: 'whole' })
    t.match(json(`[\n${'{"id":1},\n'.repeat(100_000)}{}]`), { end: last })
  },
)

t.test('H4: rows that are blank or hold separators only are no rows, and cost nothing', async (t) => {
  for (const blank of ['\n', ',\n', ' , \t,\n', ',,,,,,,,,,,,\r\n', '\r', '"",""\n'])
    t.match(
      csv(`${blank}id,text\n${blank.repeat(50_000)}a,b\n${blank}`),
      { rows: 1, faults: [] },
      JSON.stringify(blank),
    )
  t.match(csv(`id\na\n${','.repeat(2 * MIB)}`), { rows: 1, faults: [] }, 'two million separators')
  t.match(csv(`${','.repeat(2 * MIB)}`), { faults: [/^1: must begin with the names/] })
})

t.test('H4: a cell has at most 65,536 characters; the error names line and column', async (t) => {
  const most = 65_536
  /** A message may repeat the beginning of the cell. */
  const long = (place: string) =>
    new RegExp(`^${place} (?:".{40}…" )?must have at most 65536 characters$`, 'u')
  for (const letter of ['x', 'é', '€', '😀']) {
    const [good, bad] = [letter.repeat(most), letter.repeat(most + 1)]
    t.match(csv(`id,text\na,"${good}"\nb,${good}`), { rows: 2, faults: [] }, letter)
    t.match(csv(`id,text\na,"${bad}"\nb,${bad}\nc,d`), {
      rows: 1,
      faults: [long('2: text'), long('3: text')],
    })
    t.match(json(`[{"id":1,"text":"${good}"}]`), { rows: 1, faults: [] }, letter)
    t.match(json(`[{"id":1},\n{"id":2,\n"text":"${bad}"}]`), { rows: 1, faults: [long('3: text')] })
  }
  const huge = 'x'.repeat(4 * MIB)
  t.match(csv(`id,text\na,"${huge}"\nb,c`), { rows: 1, faults: [long('2: text')] })
  t.match(csv(`id,text\na,${huge}\nb,c`), { rows: 1, faults: [long('2: text')] })
  t.match(csv(`id,text\na,"${huge}\nb,c`), {
    rows: 1,
    faults: [/^2: text ""x{39}…" has quotes that are not as RFC 4180 has them/],
  })
  t.match(json(`[{"text":"${huge}"}]`), { rows: 0, faults: [long('1: text')] })
  t.match(
    json(`[{"id":["${'x","'.repeat(40_000)}"]}]`),
    { rows: 0, faults: [long('1: id')] },
    'a list is a cell',
  )
  t.match(json(`[{"${huge}":1}]`), { rows: 0, faults: [/too long a name/] })
})

t.test('H4: JSON is at most 32 deep; deeper is an error of the line', async (t) => {
  const deep = (depth: number) => `[\n{"id":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}]`
  t.match(json(deep(32)), { rows: 1, faults: [] })
  t.match(json(deep(33)), { end: '2: is more than 32 deep from here on' })
  for (const open of ['[', '{"a":', '[{"a":'])
    t.match(json(open.repeat(500_000)), { end: /^1: is more than 32 deep/ })
})

t.test('H4: reading stops after 1,000 errors', async (t) => {
  for (const content of [
    `id\n${'a"\n'.repeat(50_000)}`,
    `id\n${'a,b\n'.repeat(50_000)}`,
    `id\n${`"${'x'.repeat(66_000)}"\n`.repeat(1100)}`,
  ])
    t.match(csv(content), { end: 'too many errors', faults: { length: 1000 } }, content.slice(0, 10))
  t.match(json(`[${'{"a":1,"a":2},'.repeat(50_000)}{}]`), {
    end: 'too many errors',
    faults: { length: 1000 },
  })
  t.match(json(`[{${'"a":1,'.repeat(50_000)}"b":1}]`), { end: 'too many errors' })
})

t.test('H4: the worst shapes of JSON cost no memory, and the memory of rows is bounded', async (t) => {
  t.match(json(`[${'{},'.repeat(300_000)}{}]`), { end: /is row 100001/ })
  t.match(json(`[${'1,'.repeat(300_000)}1]`), { end: /is row 100001/ })
  t.match(json(`[{"id":[${'{},'.repeat(300_000)}1]}]`), { faults: [/id must have at most 65536/] })
  t.match(json(`[{"id":{"a":[${'{},'.repeat(300_000)}1]}}]`), { rows: 1, faults: [] }, 'passed over')
  const names = Array.from({ length: 20_000 }, (_, at) => `"n${at}":1`).join()
  t.match(json(`[{${names}}]`), { rows: 0, faults: [/has more than 100 fields/] })
  const held = outcome((reading) => {
    for (let n = 0; n < 3000; n += 1) reading.hold('a.json', '€'.repeat(30_000))
    return 0
  })
  t.equal(held.end, 'too large')
})

t.test('H4: texts of JSON are measured as they are meant, however they are written', async (t) => {
  const most = 65_536
  const shown = (letter: string) => JSON.parse(`"${letter.repeat(40)}"`).replaceAll('\n', ' ')
  for (const letter of ['x', '\\u00e9', '\\n', '\\"', '\\\\', '\\ud83d\\ude00', '😀', ' ']) {
    const row = (count: number) => `[{"id":1,"text":"${letter.repeat(count)}"},\n{"id":2}]`
    t.match(json(row(most)), { rows: 2, faults: [] }, letter)
    for (const count of [most + 1, 13 * most])
      t.match(
        json(row(count)),
        { rows: 1, end: 'whole', faults: [`1: text "${shown(letter)}…" must have at most 65536 characters`] },
        `${count} of ${letter}`,
      )
    t.match(json(`[{"id":1,\n"${letter.repeat(13 * most)}`), { end: /^2: is no JSON/ }, 'not closed')
  }
})

t.test('H4: 65,536 blanks in a row are the most between the values of JSON', async (t) => {
  for (const blank of [' ', '\n', '\r\n', '\t']) {
    const blanks = (bytes: number) => blank.repeat(bytes / blank.length)
    t.match(json(`[${blanks(65_536)}{"id":"a${' '.repeat(65_535)}"}${blanks(65_536)}]`), {
      rows: 1,
      end: 'whole',
      faults: [],
    })
    t.match(json(`[\n{},${blanks(65_540)}{}]`), {
      end: '2: has more than 65536 blanks in a row from here on',
    })
  }
})

t.test('H4: messages repeat at most a part of what was sent', async (t) => {
  const name = 'n'.repeat(50_000)
  for (const { faults } of [csv(`id,${name}\n`), json(`[{"${name}":1,"${name}":2}]`)]) {
    t.equal(faults.length, 1)
    t.ok(faults.every((fault) => fault.length < 400))
  }
})

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

t.test('H1: whatever cells hold, they are read as they were written, with their lines', async (t) => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r\n', '\r', ' ', '😀'),
    maxLength: 8,
  })
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), (rows) => {
      const content = rows.map((cells) => cells.map(quoted).join(',')).join('\n')
      const items = [...readCsv(Buffer.from(content))]
      let line = 1
      const expected = rows.flatMap((cells) => {
        const at = line
        line += 1 + cells.flatMap((one) => one.match(/\r\n|\n|\r/g) ?? []).length
        return cells.every((one) => one.trim() === '')
          ? []
          : [{ row: { line: at, cells, count: cells.length } }]
      })
      t.strictSame(items, expected)
    }),
    { numRuns: 200 },
  )
})

/** A text in NFC and without white space around it. */
const meant = (text: string): string =>
  text.normalize('NFC').replaceAll(/^[\s\u200b\u2060]+|[\s\u200b\u2060]+$/gu, '')

t.test(
  'H1, H5: texts of JSON are read as JSON.parse reads them, in NFC and without white space around',
  async (t) => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 })), (texts) => {
        const content = JSON.stringify(texts.map((text) => ({ text })))
        const reading = makeReading()
        const { rows } = readJsonFile('a.json', Buffer.from(content), reading)
        const parsed = JSON.parse(Buffer.from(content).toString()) as ReadonlyArray<{ readonly text: string }>
        t.strictSame(
          rows?.rows.map((row) => (row as { readonly text: string }).text),
          parsed.map(({ text }) => meant(text)),
        )
      }),
      { numRuns: 200 },
    )
  },
)

const read = (tables: PortfolioSource['tables']): PortfolioContent => {
  const portfolio = readPortfolio({ name: 'Ours', tables, unread: [] }, EMPTY_PORTFOLIO)
  if (E.isLeft(portfolio)) throw new Error(JSON.stringify(portfolio.left))
  return withImages(() => 'a.0123456789abcdef.svg' as PortfolioContent['sectors'][number]['logo'])(
    portfolio.right,
  )
}

t.test('H1: a portfolio is read back from its export as it was, with either separator', async (t) => {
  const unit = fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r\n', '\r', ' ', '\u00a0', '😀', 'sep=')
  const text = fc
    .string({ unit, minLength: 1, maxLength: 8 })
    .map(meant)
    .filter((one) => one !== '')
  const maybe = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })
  const lang = fc.constantFrom('en', 'fr')
  const images = { logo: fc.constant('a.svg') }
  const of = { id: fc.constantFrom('acme', 'été', '='), lang }
  const figures = { beneficiaries: fc.nat(), staffHeadcount: fc.nat(), budget: fc.nat() }
  const year = fc.integer({ min: 1, max: 9999 })
  const web = maybe(fc.constant('https://acme.example.org/a,b;c'))
  const tables = fc.record({
    sectors: fc.constant([
      { sectorId: 's', fr: 'Eau; "ici"', logo: 'a.svg' },
      { sectorId: 't', en: 'T', logo: 'a.svg' },
    ]),
    organizations: fc.tuple(
      ...['acme', 'été', '='].map((id) =>
        fc.record({
          ...{ id: fc.constant(id), name: text, since: year, founded: year, website: web },
          ...{ sectors: maybe(fc.constantFrom('s', 't s')), ...images, visual: images.logo },
        }),
      ),
    ),
    introductions: fc.array(fc.record({ ...of, text })),
    summaries: fc.array(fc.record({ ...of, text, highlight: maybe(text) })),
    programs: fc.array(fc.record({ ...of, programTitle: text, programDescription: text })),
    challenges: fc.uniqueArray(
      fc.record({ organization: fc.constant('acme'), id: fc.nat(), lang, text, highlight: maybe(text) }),
      { selector: ({ id, lang }) => `${id} ${lang}` },
    ),
    datasets: fc.uniqueArray(
      fc.record({
        id: of.id,
        year,
        ...figures,
        ageFrom: maybe(text),
        ageTo: maybe(text),
        budgetCurrency: fc.constant('EUR'),
        vrVideoUrl: web,
      }),
      { selector: ({ id, year }) => `${id} ${year}` },
    ),
  })
  fc.assert(
    fc.property(tables, fc.constantFrom(',', ';'), (rows, separator) => {
      const portfolio = read(rows)
      const files = new Map(
        [...portfolioFiles(portfolio, separator)].map((file) => [file.path, file.content]),
      )
      const exported = PORTFOLIO_TABLES.map((table) => {
        const [reading, columns] = [
          makeReading(),
          { table, all: columnsOf(table), required: Object.keys(ROWS[table].shape.required) },
        ]
        const content = Buffer.from([...(files.get(`${table}.csv`) as Iterable<string>)].join(''))
        const found = csvTable(`${table}.csv`, content, columns, reading).rows
        t.strictSame(reading.faults, [])
        return [table, found] as const
      })
      t.strictSame(read(Object.fromEntries(exported)), portfolio)
    }),
    { numRuns: 100 },
  )
})
