import type { AuditRecord } from '@almoner/domain/history'
import { EMPTY_PORTFOLIO } from '@almoner/domain/portfolio'
import { done, samplePortfolio } from '@almoner/testkit/contracts'
import { entriesOf, zipOf } from '../../../adapters-node/test/support/zip.ts'
import { EVERYTHING } from '../../../testkit/src/contracts/history/fixture.ts'
import { type ConsoleFixture, OWN_PAGE, onBoth, signIn } from '../support/console.ts'
import { BOUNDARY, fileNamed, formBytes } from '../support/multipart.ts'
import { PORTFOLIO_FILES as FILES, formOf, organization } from '../support/portfolio.ts'
import { seeProblem } from '../support/problems.ts'
import { JPEG } from '../support/uploads.ts'

onBoth('H1: the console lists texts that lack a language or their highlight', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  await done(fixture.ports.portfolio.replace(samplePortfolio()))
  const found = async (query: string) => {
    const response = await fixture.call('GET', `/console/api/portfolio/findings${query}`, { headers })
    const { findings, findingCount } = (await response.json()) as {
      findings: ReadonlyArray<{ finding: object }>
      findingCount: number
    }
    t.equal(findingCount, findings.length)
    return findings.map(({ finding }) => Object.values(finding).join(' '))
  }
  const all = await found('')
  t.match(all, ['sector arts Arts en missing '])
  t.same(await found('?organizationId=acme'), [
    'program acme Organization acme fr fewer ',
    'challenge acme Organization acme fr missing 10',
  ])
  t.same(await found('?organizationId=unknown'), [])
  await seeProblem(t, await fixture.call('GET', '/portfolio/findings', { as: 'manager' }), 'not_found')
})

const archiveOf = (files: Readonly<Record<string, string>>): FormData =>
  formOf({ 'ours.zip': zipOf(...Object.entries(files).map(([name, content]) => ({ name, content }))) })

/** Sends files to a route as a signed-in editor. */
const sender = async (fixture: ConsoleFixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  return (path: string, multipart: FormData) =>
    fixture.call('POST', `/console/api/portfolio/${path}`, { headers, multipart })
}

interface Review {
  readonly faultCount: number
  readonly faults: ReadonlyArray<object>
  readonly plan: {
    readonly fingerprint: string
    readonly organizations: ReadonlyArray<object>
    readonly rows: ReadonlyArray<object>
  } | null
}

const reviewIn = async (response: Response): Promise<Review> =>
  ((await response.json()) as { readonly review: Review }).review

onBoth('H1: a review names every bad row by file and line, and changes nothing', async (t, fixture) => {
  const send = await sender(fixture)
  const bad = {
    ...FILES,
    'ours/organizations.json': `[\n${organization('acme', 'soon')},\n${organization('zenith')}\n]`,
    'ours/datasets.csv': 'id,year,beneficiaries,staffHeadcount,budget,budgetCurrency\nacme,2016,-1,1,1,EUR\n',
    'ours/progams.json': '[]',
  }
  for (const form of [formOf(bad), archiveOf(bad)]) {
    const { faultCount, faults, plan } = await reviewIn(await send('review', form))
    t.equal(plan, null)
    t.equal(faultCount, 3)
    t.match(faults, [
      { file: 'organizations.json', line: 2, text: /^since/ },
      { file: 'datasets.csv', line: 2, text: /^beneficiaries/ },
      {
        file: 'progams.json',
        line: null,
        text: 'is no file of a portfolio: the nearest known name is programs.json',
      },
    ])
  }
  const refused = await send('load?fingerprint=x', formOf(bad))
  t.match(await refused.json(), {
    code: 'invalid_request',
    errors: [{ field: 'organizations.json:2' }, { field: 'datasets.csv:2' }, { field: 'progams.json' }],
  })
  t.strictSame(await done(fixture.ports.portfolio.content()), EMPTY_PORTFOLIO)
})

onBoth('H1, K1: a load does what was reviewed, and is recorded; otherwise nothing', async (t, fixture) => {
  const send = await sender(fixture)
  const { plan } = await reviewIn(await send('review', archiveOf(FILES)))
  const images = { added: 1, changed: 0, removed: 0 }
  t.match(plan?.organizations, [
    { id: 'acme', kind: 'added', tables: [{ table: 'organizations' }, { table: 'datasets', ...images }] },
    { id: 'zenith', kind: 'added', tables: [{ table: 'organizations', ...images }] },
  ])
  t.match(plan?.rows, [
    { table: 'organizations', kind: 'added', id: 'acme', lang: null, number: null },
    {
      table: 'datasets',
      id: 'acme',
      number: 2016,
      cells: [{ column: 'beneficiaries', before: null, after: '1' }],
    },
    { table: 'organizations', id: 'zenith' },
  ])
  const load = `load?fingerprint=${plan?.fingerprint}`
  const other = formOf({ ...FILES, 'ours/portfolio.json': '{"name":"Others"}' })
  await seeProblem(t, await send(load, other), 'precondition_failed')
  t.strictSame(await done(fixture.ports.portfolio.content()), EMPTY_PORTFOLIO)
  const loaded = await send(load, formOf(FILES))
  t.match(await loaded.json(), { loaded: { name: 'Ours', organizations: 2 } })
  const { organizations } = await done(fixture.ports.portfolio.content())
  t.same(
    organizations.map(({ id }) => id),
    ['acme', 'zenith'],
  )
  const records: Array<AuditRecord> = []
  for await (const batch of fixture.ports.history.records(EVERYTHING)) records.push(...batch)
  t.match(
    records.filter(({ action }) => action === 'load-portfolio'),
    [{ actor: { kind: 'person' } }],
  )
  await seeProblem(t, await send(load, formOf(FILES)), 'precondition_failed')
  const next = await reviewIn(await send('review', formOf({ ...FILES, 'ours/datasets.csv': '' })))
  t.match(next.faults, [{ file: 'datasets.csv', line: 1 }])
  const { plan: same } = await reviewIn(await send('review', formOf(FILES)))
  t.same(same?.organizations, [])
  fixture.clock.advance(5 * 60_000)
  await seeProblem(t, await send(load, formOf(FILES)), 'presence_required')
})

onBoth('H1: the steps of a check or load are lines before its result', async (t, fixture) => {
  const headers = {
    ...{ cookie: await signIn(fixture, 'editor'), ...OWN_PAGE },
    accept: 'application/x-ndjson, application/json',
  }
  const send = (path: string, multipart: FormData) =>
    fixture.call('POST', `/console/api/portfolio/${path}`, { headers, multipart })
  const linesOf = async (response: Response) => {
    t.strictSame([response.status, response.headers.get('content-type')], [200, 'application/x-ndjson'])
    const text = await response.text()
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { progress?: object; result?: { review: Review }; problem?: object })
  }
  const checking = [0, 1].map((done) => ({ progress: { step: 'checking', done, of: 2 } }))
  const [first, second, { result } = {}, ...rest] = await linesOf(await send('review', formOf(FILES)))
  t.strictSame([first, second, rest], [...checking, []])
  const fingerprint = result?.review.plan?.fingerprint
  t.type(fingerprint, 'string')
  const other = await linesOf(await send('load?fingerprint=x', formOf(FILES)))
  t.match(other, [...checking, { problem: { status: 412, code: 'precondition_failed', requestId: String } }])
  t.strictSame(await done(fixture.ports.portfolio.content()), EMPTY_PORTFOLIO)
  t.match(await linesOf(await send(`load?fingerprint=${fingerprint}`, formOf(FILES))), [
    ...checking,
    ...[0, 1].map((n) => ({ progress: { step: 'storing', done: n, of: 2 } })),
    { result: { loaded: { name: 'Ours', organizations: 2 } } },
  ])
  const bad = await send('review', formOf({ 'ours/portfolio.json': '{}' }))
  t.equal(bad.headers.get('content-type'), 'application/json; charset=utf-8', 'no image was checked')
})

onBoth('H1: an export is loaded back without a difference, photographs too', async (t, fixture) => {
  const send = await sender(fixture)
  const headers = { cookie: await signIn(fixture, 'editor') }
  const load = async (form: FormData) => {
    const { plan } = await reviewIn(await send('review', form))
    t.equal((await send(`load?fingerprint=${plan?.fingerprint}`, form)).status, 200)
  }
  await load(
    formOf({
      ...FILES,
      'ours/organizations.json': `[${organization('acme').replace('a.svg', 'photo.jpg')},${organization('zenith').replace('a.svg', 'çon.svg')}]`,
      'ours/logo/photo.jpg': JPEG,
      'ours/logo/çon.svg': FILES['ours/logo/a.svg'] ?? '',
      'ours/introductions.csv':
        'id,lang,text\nacme,fr,"Été; ""ici"",\nlà"\nacme,fr,Après\nzenith,en,"=HYPERLINK(""x"")"\nzenith,fr,\'\'-1\n',
    }),
  )
  const before = await done(fixture.ports.portfolio.content())
  for (const [query, header] of [
    ['', 'id,lang,text'],
    ['?lang=fr', 'id;lang;text'],
  ] as const) {
    const response = await fixture.call('GET', `/console/api/portfolio/archive${query}`, { headers })
    t.match([response.status, response.headers.get('content-type')], [200, 'application/zip'])
    t.match(response.headers.get('content-disposition'), /^attachment; filename="portfolio.zip"$/)
    const archive = Buffer.from(await response.arrayBuffer())
    const entries = entriesOf(archive)
    t.match([...entries.keys()].toSorted(), [
      ...['challenges.csv', 'datasets.csv', 'introductions.csv', 'logo/con_.svg', 'logo/photo.jpg'],
      ...[
        'organizations.csv',
        'portfolio.json',
        'programs.csv',
        'sectors.csv',
        'summaries.csv',
        'visual/a.svg',
      ],
    ])
    t.equal(String(entries.get('introductions.csv')).split('\r\n')[0], `\uFEFF${header}`)
    t.match(String(entries.get('introductions.csv')), /'=HYPERLINK/, 'no spreadsheet runs a formula')
    const form = formOf({ 'portfolio.zip': archive })
    const { faults, plan } = await reviewIn(await send('review', form))
    t.same([faults, plan?.organizations], [[], []])
    await load(form)
    t.strictSame(await done(fixture.ports.portfolio.content()), before)
  }
  await seeProblem(t, await fixture.call('GET', '/portfolio/archive', { as: 'manager' }), 'not_found')
})

onBoth('B10: an empty part with an empty file name is absent, wherever it stands', async (t, fixture) => {
  const headers = {
    ...{ cookie: await signIn(fixture, 'editor'), ...OWN_PAGE },
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  }
  const parts = Object.entries(FILES)
  for (const at of [0, 1, parts.length])
    for (const content of ['', 'x']) {
      const all = [...parts.slice(0, at), ['', content] as const, ...parts.slice(at)]
      const body = formBytes(all.map(([name, text]) => [[fileNamed('files', name)], text] as const))
      const response = await fixture.call('POST', '/console/api/portfolio/review', { headers, body })
      if (content === '') t.equal((await reviewIn(response)).faultCount, 0, `part ${at}`)
      else
        t.match(
          (await response.json()) as object,
          { status: 400, errors: [{ message: 'has no name' }] },
          `part ${at}`,
        )
    }
})

onBoth('H4: uploads that are no portfolio are refused by name', async (t, fixture) => {
  const send = await sender(fixture)
  const files = async (form: FormData) => {
    const response = await send('review', form)
    t.equal(response.status, 400)
    const { errors } = (await response.json()) as {
      errors: ReadonlyArray<{ field: string; message: string }>
    }
    return errors.map(({ field, message }) => `${field} ${message}`)
  }
  t.same(await files(formOf({})), ['files holds no files of a portfolio'])
  t.same(await files(formOf({ '../evil.json': '[]' })), ['../evil.json leads out of its folder'])
  t.same(await files(archiveOf({ '../evil.json': '[]' })), ['../evil.json leads out of its folder'])
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const empty = await fixture.call('POST', '/console/api/portfolio/review', { headers, json: {} })
  t.match(await empty.json(), { errors: [{ field: 'files', message: 'is required' }] })
})
