// Sends the worst files that we can build to the review of the portfolio, and looks how readers fare meanwhile (H4, I6).
// Usage: node tools/stress/worst-files.ts [--rounds 3] [--only NAME]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fill } from '../bench/fill.ts'
import { memoryOf } from '../bench/processes.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { readMeanwhile, readQuietly } from './load.ts'
import { addManager, ask, authorize, runBuilt, runCommand, type Server, startServer } from './server.ts'
import { WORST_FILES } from './worst-file-shapes.ts'

const { rounds, only } = options({ rounds: 3, only: '' })

/** Bounds of the target: milliseconds of a read's p99, megabytes of the process. */
const [MOST_DELAY, MOST_MEMORY] = [25, 400]

const median = (values: ReadonlyArray<number>): number =>
  Math.round(10 * (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)) / 10

/** The peak of resident memory since the last call, in megabytes. */
const peakOf = ({ process: { pid = 0 } }: Server): number => {
  const peak = Math.round(memoryOf(pid, 'VmHWM'))
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return peak
}

runBuilt()
await fill(join(folder, 'almoner.db'), 10_000)
const settings = { ALMONER_LOG_LEVEL: 'warn', ALMONER_REVIEW: 'off', ALMONER_CACHE: '0' }
const client = addManager(folder)
const manager = ['manager', 'add', 'worst@example.org', '--name', 'Worst', '--duty', 'editor', '--lang', 'en']
// The link holds a secret; the address before it does not matter.
const addressed = { ...settings, ALMONER_BASE_URL: 'http://127.0.0.1:3000' }
const secret = (runCommand(folder, addressed, ...manager)['link'] ?? '').split('#')[1] ?? ''
const server = await startServer(folder, settings)
const { authorization } = await authorize(server.url, client)
const own = { 'sec-fetch-site': 'same-origin' }
const signedIn = await ask(`${server.url}/console/api/sign-in/link`, own, {
  token: secret.replace(/^token=/, ''),
})
const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

const review = async (form: FormData) => {
  const { status, body } = await ask<Record<string, never>>(
    `${server.url}/console/api/portfolio/review`,
    { ...own, cookie },
    form,
  )
  const { faultCount, faults, plan } = Object(Object(body)['review'])
  const told = faults?.[0]?.text ?? (plan ? 'good' : Object(body)['errors']?.[0]?.message)
  return `${status}: ${faultCount > 1 ? `${faultCount} errors, ` : ''}${told}`
}

await readQuietly(server.url, authorization, 5)
const quiet = median([(await readQuietly(server.url, authorization, 10)).p99])
const bound = Math.max(MOST_DELAY, 3 * quiet)
const rows: Array<object> = []
for (const { name, files } of WORST_FILES.filter((shape) => shape.name.includes(only))) {
  const results: Array<{ p99: number; longest: number; seconds: number; memory: number; answer: string }> = []
  const made = files()
  for (let round = 0; round < rounds; round += 1) {
    peakOf(server)
    const form = new FormData()
    for (const [path, content] of made)
      form.append('files', new Blob([content as Uint8Array<ArrayBuffer>]), path)
    const end = new AbortController()
    const reading = readMeanwhile(server.url, authorization, end.signal)
    const start = performance.now()
    const answer = await review(form).catch(String)
    const seconds = (performance.now() - start) / 1000
    await pause(Math.max(0, 2000 - seconds * 1000))
    end.abort()
    results.push({ ...(await reading), seconds, memory: peakOf(server), answer })
    progress(`${name} ${round + 1}`)
  }
  const p99 = median(results.map((result) => result.p99))
  const memory = Math.max(...results.map((result) => result.memory))
  check(p99 <= bound, `${name}: p99 ${p99} ms, at most ${bound}`)
  check(memory <= MOST_MEMORY, `${name}: ${memory} MB`)
  const longest = median(results.map((result) => result.longest))
  rows.push({
    name,
    p99,
    longest,
    seconds: median(results.map((one) => one.seconds)),
    memory,
    answer: results[0]?.answer,
  })
}
await server.stop()
report({ quiet, bound, rows })
