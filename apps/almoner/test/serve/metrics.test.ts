import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregateMetrics, type MetricValues, makeMetrics } from '@almoner/adapters-http'
import { type SendingQueue, stopped, wholeOf } from '@almoner/domain/delivery'
import { DELIVERED, unregistered } from '@almoner/domain/notifications'
import { PROVIDERS } from '@almoner/domain/people'
import { instant } from '@almoner/domain/values'
import { SAMPLE_MOMENT, sampleMoment } from '@almoner/testkit/contracts'
import { memoryStore } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t, { type Test } from 'tap'
import { readiness } from '../../src/serve/ready.ts'
import { serve } from '../support/almoner.ts'
import { makeCurrent } from '../support/database.ts'
import { schedule } from '../support/readers.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Family {
  readonly name: string
  readonly type: string
  readonly labels: ReadonlyArray<string>
}

/** What the text format of Prometheus declares, with the labels that its samples have. */
const familiesIn = (text: string): ReadonlyArray<Family> =>
  [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => {
    const samples = [...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{([^}]*)\\}`, 'gm'))]
    const labels = samples.flatMap(([, inside = '']) =>
      [...inside.matchAll(/(\w+)="/g)].map(([, one = '']) => one),
    )
    return { name, type, labels: [...new Set(labels)].filter((one) => one !== 'le').sort() }
  })

const quotedIn = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`(\w+)`/g)].map(([, one = '']) => one)

/** The table of docs/operations.md, of which a row may name several metrics. */
const documented = (): ReadonlyArray<Family> =>
  [
    ...read('docs/operations.md').matchAll(
      /^\| (`\w+`(?:, `\w+`)*) \| (counter|gauge|histogram) \| ([^|]*)\| [^|]+ \|$/gm,
    ),
  ].flatMap(([, names = '', type = '', labels = '']) =>
    quotedIn(names).map((name) => ({ name, type, labels: quotedIn(labels).toSorted() })),
  )

const namesIn = (text: string): ReadonlyArray<string> => [
  ...new Set(text.match(/\b(?:almoner|nodejs|process)_[a-z0-9_]+\b/g)),
]

/** Whether samples have the labels that the docs tell of. */
const seeLabels = (t: Test, text: string): void => {
  const told = documented()
  for (const { name, labels } of familiesIn(text).filter((one) => one.labels.length > 0))
    t.strictSame(told.find((one) => one.name === name)?.labels, labels, name)
}

const HOUR = 3600

t.test(
  'I3: the metrics of a running server are those of the docs, the dashboard and the alerts',
  async (t) => {
    const folder = t.testdir()
    await makeCurrent(folder)
    await schedule(folder, 1, { date: O.some(instant(Date.now() - HOUR * 1000)) })
    const server = await serve(folder, [], { ALMONER_REVIEW: 'off' })
    await (await fetch(`${server.url}/nowhere`)).arrayBuffer()
    const figures = async () => (await fetch(`${server.url}/metrics`)).text()
    // Metrics are collected from the first scrape on.
    await figures()
    const text = await figures()
    const ready = await fetch(`${server.url}/health/ready`)
    t.equal(ready.status, 200, 'readers are served as before')
    t.match(await ready.json(), { status: 'ready', degraded: [/^review-late: /] })
    await server.stop()

    const [told, families] = [documented(), familiesIn(text)]
    const named = (list: ReadonlyArray<Family>) => list.map(({ name, type }) => `${name} ${type}`).sort()
    t.strictSame(named(told), named(families))
    seeLabels(t, text)
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    for (const name of ['almoner_review_lag_seconds', 'almoner_oldest_unsent_seconds'])
      t.ok(value(name) >= HOUR && value(name) < 2 * HOUR, name)
    t.match(
      text,
      /^almoner_http_request_duration_seconds_count\{method="GET",route="unknown",status="404"\} 1$/m,
    )

    const known = families.flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`])
    const strange = (asked: string) => namesIn(asked).filter((name) => !known.includes(name))
    t.strictSame(strange(read('deploy/prometheus/almoner.rules.yml')), [])
    interface Panel {
      readonly targets?: ReadonlyArray<{ readonly expr: string }>
    }
    const { panels, templating } = JSON.parse(read('deploy/grafana/almoner.json'))
    const expressions = panels.flatMap(({ targets = [] }: Panel) => targets.map(({ expr }) => expr))
    t.ok(expressions.length > 20)
    t.strictSame(strange([...expressions, JSON.stringify(templating)].join('\n')), [])
  },
)

const IDLE: SendingQueue = { dueSince: O.none, unsentSince: O.none, pending: 0, retries: 0 }

t.test('I3: the queue is queried once per scrape, and left out if the store does not answer', async (t) => {
  const metrics = makeMetrics()
  let asked = 0
  let answers = true
  metrics.showSending(async () => {
    asked += 1
    const queue = { ...IDLE, dueSince: O.some(SAMPLE_MOMENT), pending: 7, retries: 3 }
    const pause = O.some(stopped(wholeOf('apns'), 'x', SAMPLE_MOMENT))
    const providers = [{ provider: 'apns' as const, pause, origins: [], overrideUntil: O.none }]
    return answers ? { now: sampleMoment(90), queue, providers } : undefined
  })
  const look = async () => {
    const text = await metrics.registry.metrics()
    return text.split('\n').filter((line) => /^almoner_(review|oldest|devices|retries|provider)/.test(line))
  }
  const shown = [
    'almoner_review_lag_seconds 90',
    'almoner_oldest_unsent_seconds 0',
    'almoner_devices_pending 7',
    'almoner_retries_waiting 3',
    'almoner_provider_paused{provider="apns"} 1',
  ]
  t.strictSame(await look(), shown)
  t.equal(asked, 1)
  const values: MetricValues = await metrics.registry.getMetricsAsJSON()
  const together = await aggregateMetrics([values, values]).metrics()
  for (const line of shown) t.match(together, line)
  answers = false
  t.strictSame(await look(), [])
  answers = true
  t.strictSame(await look(), shown)
})

t.test('C17: links are counted by what is found, and left out if the store does not answer', async (t) => {
  const metrics = makeMetrics()
  let answers = true
  metrics.showLinks(async () =>
    answers ? E.right({ alive: 40, unknown: 2, dead: 1 }) : E.left(new Error('silent')),
  )
  const values: MetricValues = await metrics.registry.getMetricsAsJSON()
  const together = await aggregateMetrics([values, values]).metrics()
  for (const line of ['{state="alive"} 40', '{state="unknown"} 2', '{state="dead"} 1'])
    t.match(together, `\nalmoner_links${line}\n`)
  seeLabels(t, together)
  answers = false
  t.notMatch(await metrics.registry.metrics(), 'almoner_links{')
})

t.test('I3: counters start at zero, so that the first increase is visible', async (t) => {
  const metrics = makeMetrics()
  metrics.job('review', false)
  metrics.job('sweep images', true)
  const text = await metrics.registry.metrics()
  for (const provider of PROVIDERS) {
    for (const outcome of ['delivered', 'dead', 'retry', 'refused', 'fault'])
      t.match(text, `\nalmoner_pushes_total{provider="${provider}",outcome="${outcome}"} 0\n`)
    t.match(text, `\nalmoner_tokens_detached_total{provider="${provider}"} 0\n`)
  }
  t.match(text, '\nalmoner_unroutable_tokens_total 0\n')
  t.match(text, '\nalmoner_schedules_failed_total 0\n')
  t.match(text, '\nalmoner_jobs_total{name="review",outcome="failed"} 0\n')
  t.match(text, '\nalmoner_jobs_total{name="sweep images",outcome="failed"} 1\n')
})

t.test('I3: pushes, detached tokens, lookups, failures and jobs are counted', async (t) => {
  const metrics = makeMetrics()
  metrics.push('fcm', DELIVERED, 12)
  metrics.push('fcm', unregistered('UNREGISTERED'), 12)
  metrics.detached('fcm')
  metrics.lookups.raw_hit += 2
  metrics.database('write', 3, true)
  metrics.job('review', false)
  const text = await metrics.registry.metrics()
  for (const line of [
    'almoner_pushes_total{provider="fcm",outcome="delivered"} 1',
    'almoner_pushes_total{provider="fcm",outcome="dead"} 1',
    'almoner_push_duration_seconds_count{provider="fcm"} 2',
    'almoner_tokens_detached_total{provider="fcm"} 1',
    'almoner_cache_lookups_total{result="raw_hit"} 2',
    'almoner_database_failures_total{operation="write"} 1',
    'almoner_database_duration_seconds_count{operation="write"} 1',
    'almoner_jobs_total{name="review",outcome="done"} 1',
  ])
    t.ok(text.includes(`\n${line}\n`), line)
  seeLabels(t, text)
  t.notMatch(text, 'UNREGISTERED', 'reasons of providers have too many values for labels')
})

t.test('G4: /health/ready reports late reviews after three missed ones', async (t) => {
  const migrator = { plan: () => TE.right({ isEmpty: false, pending: [] }) }
  const common = {
    settings: { reviewEvery: 60 },
    database: { migrator, store: memoryStore() },
    media: { check: async () => {} },
  } as unknown as Parameters<typeof readiness>[0]
  const after = (seconds: number, over: Partial<SendingQueue> = {}) =>
    readiness({
      ...common,
      askSending: async () => ({
        now: sampleMoment(seconds),
        queue: { ...IDLE, dueSince: O.some(SAMPLE_MOMENT), ...over },
        providers: [],
      }),
    })()
  t.strictSame(await after(180), [])
  t.match(await after(181), [/^review-late: /])
  t.strictSame(
    await after(181, { dueSince: O.none, unsentSince: O.some(SAMPLE_MOMENT) }),
    [],
    'it is being sent',
  )
  const silent = readiness({ ...common, askSending: async () => undefined })
  await t.rejects(silent(), /not available/)
})
