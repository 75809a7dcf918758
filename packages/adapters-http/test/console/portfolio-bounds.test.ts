import { EMPTY_PORTFOLIO } from '@almoner/domain/portfolio'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { type ZipEntry, zipOf } from '../../../adapters-node/test/support/zip.ts'
import { OWN_PAGE, onBoth, signIn, startConsole } from '../support/console.ts'

// H4 through the routes of the console: what each file beyond a bound is answered. The readers' own tests have more shapes.

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>'
const DATASETS = 'id,year,beneficiaries,staffHeadcount,budget,budgetCurrency\n'

const FILES: Readonly<Record<string, string>> = {
  'portfolio.json': '{"name":"Ours"}',
  'sectors.json': '[]',
  'organizations.json': JSON.stringify([
    { id: 'acme', name: 'Acme', since: 2016, founded: 1999, logo: 'a.svg', visual: 'a.svg' },
  ]),
  'logo/a.svg': SVG,
  'visual/a.svg': SVG,
}

const entriesOf = (over: Readonly<Record<string, string | Uint8Array>>): ReadonlyArray<ZipEntry> =>
  Object.entries({ ...FILES, ...over }).map(([name, content]) => ({ name, content }))

const formOf = (...files: ReadonlyArray<readonly [path: string, content: string | Uint8Array]>): FormData => {
  const form = new FormData()
  for (const [path, content] of files)
    form.append('files', new Blob([content as Uint8Array<ArrayBuffer>]), path)
  return form
}

const zipForm = (...entries: ReadonlyArray<ZipEntry>) => formOf(['ours.zip', zipOf(...entries)])

interface Answer {
  readonly status?: number
  readonly code?: string
  readonly detail?: string
  readonly errors?: ReadonlyArray<{ readonly field: string; readonly message: string }>
  readonly review?: {
    readonly faultCount: number
    readonly faults: ReadonlyArray<{
      readonly file: string
      readonly line: number | null
      readonly text: string
    }>
    readonly plan: { readonly tables: ReadonlyArray<object>; readonly findingCount: number } | null
  }
}

t.test('H4: beyond a bound in bytes or files an upload is 413 with the name of the file', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const blank = Buffer.alloc(64 * 1024 * 1024 + 1, ',')
  for (const [form, field, message] of [
    [zipForm(...entriesOf({ 'datasets.csv': blank })), 'datasets.csv', 'has more than 64 MiB'],
  ] as const) {
    const response = await fixture.call('POST', '/console/api/portfolio/review', { headers, multipart: form })
    const answer = (await response.json()) as Answer
    t.match(answer, { status: 413, code: 'content_too_large', errors: [{ field, message }] })
    t.ok(answer.detail?.includes(field))
  }
})

t.test('H4: an entry that cannot be stored or unpacked is 400 with its name and reason', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const post = async (multipart: FormData) => {
    const response = await fixture.call('POST', '/console/api/portfolio/review', { headers, multipart })
    const { status, errors } = (await response.json()) as Answer
    return [status, ...(errors ?? []).map(({ field, message }) => `${field} ${message}`)]
  }
  const x = { name: 'x.json', content: '[]' }
  const below = { name: 'x.json/a.json', content: '[]' }
  for (const [entries, expected] of [
    [[x, below], 'x.json/a.json has a folder with the name of the file x.json'],
    [[below, x], 'x.json is a file and a folder'],
    [[x, { name: 'X.JSON', content: '' }], 'X.JSON has the same name as x.json: keep one of the two'],
    [[{ ...x, name: '../x.json' }], '../x.json leads out of its folder'],
    [[{ ...x, name: `${'n'.repeat(256)}.json` }], /has a name of more than 255 bytes$/],
    [[{ ...x, flags: 0x0801 }], /^x\.json is encrypted/],
    [[{ ...x, method: 14 }], /^x\.json is packed by a method that is not supported/],
    [[{ ...x, mode: 0o120777 }], /^x\.json is a link/],
    [[{ ...x, checksum: 1 }], /^x\.json is damaged in the archive: its checksum/],
    [[{ ...x, claimed: 1 }], /^x\.json is damaged in the archive/],
  ] as ReadonlyArray<readonly [ReadonlyArray<ZipEntry>, string | RegExp]>) {
    t.match(await post(zipForm(...entriesOf({}), ...entries)), [400, expected], String(expected))
    if (
      entries.every(
        ({ flags, method, mode, checksum, claimed }) =>
          (flags ?? method ?? mode ?? checksum ?? claimed) === undefined,
      )
    )
      t.match(
        await post(formOf(...entries.map(({ name, content }) => [String(name), content] as const))),
        [400, expected],
        `as a folder: ${expected}`,
      )
  }
  t.match(await post(formOf(['ours.zip', zipOf(...entriesOf({})).subarray(0, -30)])), [
    400,
    /^ours\.zip is no zip archive that can be read/,
  ])
})

t.test(
  'H4: rows, cells and depth beyond their bounds are errors of the review, with file and line',
  async (t) => {
    const fixture = await startConsole(t.testdir())
    t.teardown(fixture.stop)
    const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
    const review = async (over: Readonly<Record<string, string>>) => {
      const multipart = zipForm(...entriesOf(over))
      const response = await fixture.call('POST', '/console/api/portfolio/review', { headers, multipart })
      t.equal(response.status, 200)
      return ((await response.json()) as Answer).review
    }
    const file = 'datasets.csv'
    t.match(await review({ [file]: `${DATASETS}${'acme,2016,1,1,1,EUR\n'.repeat(3)}` }), {
      faultCount: 2,
      faults: [3, 4].map((line) => ({
        file,
        line,
        text: 'year "2016" repeats 2016 of acme: keep one of the two rows',
      })),
    })
    const rows = Array.from(
      { length: 100_001 },
      (_, at) => `${at % 9999 === 0 ? 'acme' : 'other'},x,1,1,1,EUR\n`,
    )
    const tooMany = await review({ [file]: `${DATASETS}${rows.join('')}` })
    t.equal(tooMany?.faultCount, 1000)
    t.match(tooMany?.faults.at(-1), { text: /^is the last error that is named: reading stopped after 1000$/ })
    t.match(await review({ [file]: DATASETS + 'acme,1,1,1,1,EUR\n'.replace('1', 'x'.repeat(65_537)) }), {
      faults: [{ file, line: 2, text: /^year "x{40}…" must have at most 65536 characters$/ }],
    })
    t.match(await review({ 'programs.json': `[\n{"id":${'['.repeat(40)}` }), {
      faults: [{ file: 'programs.json', line: 2, text: 'is more than 32 deep from here on' }],
    })
    t.match(await review({ [file]: `${DATASETS}${',,,,,\n'.repeat(101_000)}acme,2016,1,1,1,EUR\n` }), {
      faultCount: 0,
      plan: { findingCount: 4 },
    })
    t.strictSame(await done(fixture.ports.portfolio.content()), EMPTY_PORTFOLIO)
  },
)

onBoth('H4, I6: a table of thousands of rows is reviewed, loaded and replaced', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const challenges = (text: string) =>
    Array.from({ length: 3000 }, (_, at) => `acme,${at},en,${text}\n`).join('')
  for (const [text, changed] of [
    ['One', { added: 3000, changed: 0 }],
    ['Two', { added: 0, changed: 3000 }],
  ] as const) {
    const multipart = zipForm(
      ...entriesOf({ 'challenges.csv': `organization,id,lang,text\n${challenges(text)}` }),
    )
    const send = (path: string) =>
      fixture.call('POST', `/console/api/portfolio/${path}`, { headers, multipart })
    const { plan } = Object((await (await send('review')).json()) as object).review
    t.match(
      plan.tables.find(({ table }: { readonly table: string }) => table === 'challenges'),
      changed,
    )
    t.equal(plan.findingCount, 3000 + 4)
    t.equal(plan.findings.length, 1000)
    t.equal((await send(`load?fingerprint=${plan.fingerprint}`)).status, 200)
    const { challenges: loaded } = await done(fixture.ports.portfolio.content())
    t.equal(loaded.length, 3000)
    t.ok(loaded.every((challenge) => (challenge.text as string) === text))
  }
})
