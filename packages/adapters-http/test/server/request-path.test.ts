import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startFixture } from '../support/fixture.ts'
import { createLive, IMAGES, update } from '../support/items.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Returns the source files of packages of which a function runs during `work`. */
const filesOf = async (work: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  return result
    .filter(
      ({ url, functions }) =>
        url.startsWith('file:') && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    )
    .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    .filter((path) => /^packages\/(?!testkit\/)[a-z-]+\/src\//.test(path))
    .sort()
}

// The clock and the secrets of the fixture are the test kit's, which no server runs.
t.test('a request passes few files from socket to SQL, without accelerators', async (t) => {
  // Looks that come again and again are no part of a request.
  const { setInterval } = globalThis
  globalThis.setInterval = (() => setTimeout(() => {}, 0)) as unknown as typeof setInterval
  t.teardown(() => {
    globalThis.setInterval = setInterval
  })
  const fixture = await startFixture(t.testdir(), { keep: 0, maxDelay: 1000 })
  t.teardown(fixture.stop)
  const { itemId } = await createLive(fixture, 'library')
  const write = async () => (await update(fixture, 'library', itemId, IMAGES)).text()
  const read = async () => (await fixture.call('GET', '/library/?lim=20', { as: 'manager' })).text()
  for (const [name, work, most] of [
    ['POST /library/:itemId', write, 48],
    ['GET /library/', read, 36],
  ] as const) {
    await work()
    const files = await filesOf(work)
    t.ok(files.length <= most, `${name} passes ${files.length} files, at most ${most}`, { files })
  }
})
