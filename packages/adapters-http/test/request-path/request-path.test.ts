import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPortfolioAt } from '@almoner/adapters-node/files'
import { commandActor } from '@almoner/domain/access'
import { makeLoadPortfolio } from '@almoner/domain/portfolio'
import t from 'tap'
import { zipOf } from '../../../adapters-node/test/support/zip.ts'
import { withFcm } from '../../../adapters-push/test/fcm.ts'
import { done, startFixture } from '../support/fixture.ts'
import { createLive, IMAGES, update } from '../support/items.ts'
import { post, review, seconds } from '../support/notifications.ts'
import { attach } from '../support/people.ts'
import { PORTFOLIO_FILES } from '../support/portfolio.ts'
import { FEED_ITEM } from '../support/samples.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** The part of a coverage that says which functions of a file ran. */
interface FileCoverage {
  readonly url: string
  readonly functions: ReadonlyArray<{
    readonly functionName: string
    readonly ranges: ReadonlyArray<{ readonly startOffset: number; readonly count: number }>
  }>
}

const textOf = async (response: Response): Promise<string> => {
  const text = await response.text()
  if (response.status !== 200) throw new Error(`expected 200, got ${response.status}`, { cause: text })
  return text
}

/** A way through the service, and how many source files it may pass. */
interface Flow {
  readonly most: number
  /** Comes before each run and does not count. */
  readonly prepare?: () => Promise<unknown>
  /** @param takeThreads has to be called while the threads of the work still live */
  readonly work: (takeThreads: () => Promise<void>) => Promise<unknown>
}

/** Whether a function of a file ran, beside its statements that run as it is loaded. */
const hasRun = ({ functions }: FileCoverage): boolean =>
  functions.some(
    ({ functionName, ranges }) =>
      !(functionName === '' && ranges[0]?.startOffset === 0) && ranges.some(({ count }) => count > 0),
  )

const START = [
  { method: 'Profiler.enable' },
  { method: 'Profiler.startPreciseCoverage', params: { callCount: true, detailed: false } },
]

/** Measures the threads that a piece of work starts. Each reports until it ends, which the measured work must wait for. */
const watchThreads = async (session: Session) => {
  const threads = new Set<string>()
  const results: Array<Promise<ReadonlyArray<FileCoverage>>> = []
  const answers = new Map<number, (result: unknown) => void>()
  let asked = 0
  const ask = (sessionId: string, message: object): Promise<unknown> => {
    asked += 1
    const id = asked
    const answered = new Promise((resolve) => answers.set(id, resolve))
    void session.post('NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id, ...message }),
    })
    return answered
  }
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    threads.add(sessionId)
    for (const message of START) void ask(sessionId, message)
    void ask(sessionId, { method: 'Runtime.runIfWaitingForDebugger' })
  })
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
    const { id, result } = JSON.parse(message)
    answers.get(id)?.(result)
  })
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: true })
  return async (): Promise<ReadonlyArray<FileCoverage>> => {
    for (const id of threads)
      results.push(
        ask(id, { method: 'Profiler.takePreciseCoverage' }).then(
          (taken) => (taken as { readonly result: ReadonlyArray<FileCoverage> }).result,
        ),
      )
    return (await Promise.all(results)).flat()
  }
}

/** Returns the source files of packages of which a function runs during `work`, on any thread. */
const filesOf = async (work: Flow['work']): Promise<ReadonlyArray<string>> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const takeThreads = await watchThreads(session)
  const all: Array<FileCoverage> = []
  await session.post('Profiler.takePreciseCoverage')
  await work(async () => {
    all.push(...(await takeThreads()))
  })
  all.push(...(await session.post('Profiler.takePreciseCoverage')).result)
  session.disconnect()
  const files = all
    .filter((file) => file.url.startsWith('file:') && hasRun(file))
    .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    .filter((path) => /^packages\/(?!testkit\/)[a-z-]+\/src\//.test(path))
  return [...new Set(files)].sort()
}

// The clock and the secrets of the fixture are the test kit's, which no server runs.
t.test('a request passes few files from socket to SQL, without accelerators', async (t) => {
  // Looks that come again and again are no part of a request.
  const { setInterval } = globalThis
  globalThis.setInterval = (() => setTimeout(() => {}, 0)) as unknown as typeof setInterval
  t.teardown(() => {
    globalThis.setInterval = setInterval
  })
  const folder = t.testdir()
  const fixture = await startFixture(folder, { keep: 0, maxDelay: 1000 })
  t.teardown(fixture.stop)
  const { itemId } = await createLive(fixture, 'library')
  const { fcm, gateway } = await withFcm(t, { clock: fixture.ports.clock })
  await attach(fixture, 'reader@example.org', 'fcm:reader')
  const file = join(folder, 'ours.zip')
  writeFileSync(file, zipOf(...Object.entries(PORTFOLIO_FILES).map(([name, content]) => ({ name, content }))))
  const announce = (date = '2026-05-01T11:00:00Z') => post(fixture, { date: seconds(date) })
  const flows: Readonly<Record<string, Flow>> = {
    'POST /library/:itemId': {
      most: 43,
      work: async () => textOf(await update(fixture, 'library', itemId, IMAGES)),
    },
    'GET /library/': {
      most: 34,
      work: async () => textOf(await fixture.call('GET', '/library/?lim=20', { as: 'manager' })),
    },
    'POST /feed/': {
      most: 40,
      work: async () => textOf(await fixture.call('POST', '/feed/', { as: 'donor', json: FEED_ITEM })),
    },
    'POST /notification': { most: 38, work: async () => textOf(await announce('2026-06-01T00:00:00Z')) },
    'review to FCM': { most: 34, prepare: announce, work: () => review(fixture, gateway) },
    'load of a zip archive': {
      most: 47,
      work: async (takeThreads) => {
        const { draft, read, close } = await done(openPortfolioAt(file))
        const load = makeLoadPortfolio(fixture.ports)
        await done(
          load(
            { draft, read, report: () => {} },
            { actor: commandActor('portfolio load'), at: fixture.clock.now() },
          ),
        )
        await takeThreads()
        await close()
      },
    },
  }
  for (const [name, { most, prepare, work }] of Object.entries(flows)) {
    await prepare?.()
    await work(async () => {})
    await prepare?.()
    const files = await filesOf(work)
    t.ok(files.length <= most, `${name} passes ${files.length} files, at most ${most}`, { files })
  }
  t.equal(fcm.requests.length, 2, 'each review sent one push')
})
