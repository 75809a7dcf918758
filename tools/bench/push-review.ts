// How fast a review pushes, with its ledger on SQLite, through the gateways to providers on loopback, beside a bare node:http2 client that
// posts the same requests in the same run: node tools/bench/push-review.ts [devices] [window]…
// The provider is a process of its own, which counts and answers at once; so is each client. Figures are medians of three runs that take
// turns; a run is one notification to two thirds of the devices.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareReview, type Run } from './push/compare-review.ts'
import { machine } from './push/machine.ts'
import { KINDS } from './push/place.ts'

const [devices = '60000', ...windows] = process.argv.slice(2)
const DEVICES = Number(devices)
const WINDOWS = windows.length === 0 ? [100, 1000] : windows.map(Number)
const ROUNDS = 3

const rate = ({ perSecond }: Run): string => Math.round(perSecond).toLocaleString('en')

process.stdout.write(`${machine()}

${DEVICES} devices, median of ${ROUNDS}

| provider | window | bare client | review, ledger on | review / bare | processor time of a push: bare, review |
| --- | --- | --- | --- | --- | --- |
`)
for (const kind of KINDS)
  for (const window of WINDOWS) {
    const folder = mkdtempSync(join(tmpdir(), 'almoner-push-'))
    const { bare, reviewed } = await compareReview(kind, {
      file: join(folder, 'almoner.db'),
      devices: DEVICES,
      window,
      rounds: ROUNDS,
    })
    rmSync(folder, { recursive: true, force: true })
    const ratio = (reviewed.perSecond / bare.perSecond).toFixed(2)
    const time = [bare, reviewed].map(({ cpuPerPush }) => `${cpuPerPush.toFixed(0)} µs`).join(', ')
    process.stdout.write(
      `| ${kind} | ${window} | ${rate(bare)}/s | ${rate(reviewed)}/s | ${ratio} | ${time} |\n`,
    )
  }
process.stdout.write(`\nload at the end: ${machine().split('; ').at(-1)}\n`)
