// How fast the gateways push to providers on loopback, beside a bare node:http2 client that posts the same requests in the same run:
// node tools/bench/push.ts [pushes] [window]     rates, for providers that answer at once and after 5 ms, then the cryptography of Web Push alone
// The provider is a process of its own, which counts; so is each client. Figures are medians of three runs that take turns.
// How the same goes with the ledger on: tools/bench/push-review.ts. What it does to memory: tools/bench/push-memory.ts.
import type { Flooded } from './push/flood.ts'
import { machine } from './push/machine.ts'
import { measure } from './push/measure.ts'
import { KINDS } from './push/place.ts'

const PUSHES = Number(process.argv[2] ?? 30_000)
const WINDOW = Number(process.argv[3] ?? 100)
const ROUNDS = 3
const LATENCIES = [0, 5]
const THREADS = ['crypto-0', 'crypto-1', 'crypto-2']

const rate = ({ perSecond }: Flooded): string => Math.round(perSecond).toLocaleString('en')
const cpu = ({ cpuPerPush }: Flooded): string => `${cpuPerPush.toFixed(0)} µs`
const write = (line: string): boolean => process.stdout.write(`${line}\n`)

const pair = (
  runs: ReadonlyMap<string, Flooded>,
  one: string,
  other: string,
): readonly [Flooded, Flooded] => {
  const [first, second] = [runs.get(one), runs.get(other)]
  if (first === undefined || second === undefined) throw new RangeError('nothing was measured')
  return [first, second]
}

write(`${machine()}\n\nwindow ${WINDOW}, ${PUSHES} pushes, median of ${ROUNDS}\n`)
write(
  '| provider, latency | bare client | gateway | gateway / bare | processor time of a push: bare, gateway |',
)
write('| --- | --- | --- | --- | --- |')
const common = { window: WINDOW, marks: [PUSHES], rounds: ROUNDS }
for (const kind of KINDS)
  for (const latency of LATENCIES) {
    const runs = await measure(kind, { ...common, latency, who: ['bare', 'gateway'] })
    const [bare, gateway] = pair(runs, 'bare', 'gateway')
    const ratio = (gateway.perSecond / bare.perSecond).toFixed(2)
    write(
      `| ${kind}, ${latency} ms | ${rate(bare)}/s | ${rate(gateway)}/s | ${ratio} | ${cpu(bare)}, ${cpu(gateway)} |`,
    )
  }

const crypto = await measure('webpush', { ...common, latency: 0, who: THREADS })
const [one, two] = pair(crypto, 'crypto-1', 'crypto-2')
write('\n| cryptography of Web Push alone | messages | processor time |\n| --- | --- | --- |')
for (const [name, run] of crypto)
  write(
    `| ${name.replace('crypto-0', 'in the thread that sends').replace('crypto-', 'threads: ')} | ${rate(run)}/s | ${cpu(run)} |`,
  )
write(`| two threads / one | ${(two.perSecond / one.perSecond).toFixed(2)} | |`)
write(`\nload at the end: ${machine().split('; ').at(-1)}`)
