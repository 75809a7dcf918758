// The server of costs.ts. It measures its own process, because memory and the event loop are seen from the inside only.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// tap, which the fixture brings along, also sends messages to the parent, and would end the process.
const send = process.send?.bind(process)
Reflect.deleteProperty(process, 'send')
// It also follows every promise, which takes several times what the service itself does.
const hook = { enable: () => hook, disable: () => hook }
createRequire(import.meta.url)('node:async_hooks').createHook = () => hook
syncBuiltinESMExports()
const { default: root } = await import('tap')
root.setTimeout(0)
const { enter, linkFor, OWN_PAGE, startConsole } = await import(
  '../../packages/adapters-http/test/support/console.ts'
)
const { newFeedItem, newLibraryItem } = await import('../../packages/adapters-http/test/support/samples.ts')
const { upload } = await import('../../packages/adapters-http/test/support/uploads.ts')
setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void

const folder = mkdtempSync(join(tmpdir(), 'almoner-costs-'))
const fixture = await startConsole(folder, { store: 'sqlite', logLevel: 'error', keep: 0, unwatched: true })

const usedBytes = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const delays = monitorEventLoopDelay({ resolution: 1 })
let start = { bytes: 0, cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() }

const begin = () => {
  fixture.lines.length = 0
  delays.reset()
  delays.enable()
  start = { bytes: usedBytes(), cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() }
  return undefined
}

/** What happened since the beginning: milliseconds of the event loop and of its longest piece, and bytes in use. */
const end = () => {
  const { active } = performance.eventLoopUtilization(start.loop)
  const { user, system } = process.cpuUsage(start.cpu)
  delays.disable()
  // The preempted process is active, but uses no processor.
  const busy = Math.min(active, (user + system) / 1000)
  return { busy, piece: Math.min(busy, delays.max / 1e6), memory: usedBytes() - start.bytes }
}

const describe = async () => {
  const token = await fixture.token('admin')
  const response = await enter(fixture, await linkFor(fixture, 'operator'))
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const [library, feed] = [await newLibraryItem(fixture), await newFeedItem(fixture)]
  await upload(fixture, `/library/${library}/media/cover`)
  const answer = await fixture.call('GET', `/library/${library}`, { as: 'admin' })
  const image = new URL(/"coverImgUrl":"([^"]+)"/.exec(await answer.text())?.[1] ?? '').pathname
  return { url: fixture.url, token, cookie, page: OWN_PAGE, library, feed, image }
}

const replies: Readonly<Record<string, () => unknown>> = { begin, end, collect, describe }

process.on('message', async (message) => {
  send?.((await replies[String(message)]?.()) ?? null)
})
process.once('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit()
})
