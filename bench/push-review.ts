// How fast a review pushes, with its ledger on SQLite, through the gateways to providers on loopback, beside a bare node:http2 client that
// posts the same requests in the same run: node bench/push-review.ts [devices] [window]…
// The provider is a process of its own, which counts and answers at once; so is each client. Figures are medians of three runs that take
// turns; a run is one notification to two thirds of the devices.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDevices } from '../test/campaigns/fill-devices.ts'
import type { Flooded } from './push/flood.ts'
import { machine } from './push/machine.ts'
import { medianOf } from './push/measure.ts'
import { KINDS, type ProviderKind } from './push/place.ts'
import { runProcess, startProvider } from './push/processes.ts'
import { tokenOf } from './push/pushes.ts'
import { record } from './push/recorded.ts'

const [devices = '60000', ...windows] = process.argv.slice(2)
const DEVICES = Number(devices)
const WINDOWS = windows.length === 0 ? [100, 1000] : windows.map(Number)
const ROUNDS = 3

type Run = Omit<Flooded, 'memory'>

const rate = ({ perSecond }: Run): string => Math.round(perSecond).toLocaleString('en')

const compare = async (kind: ProviderKind, file: string, window: number): Promise<readonly [Run, Run]> => {
  const { place, stop } = await startProvider(kind, 0)
  const recorded = await record(place)
  await fillDevices(file, DEVICES, (n) => ({ token: tokenOf(place, n), kind }))
  const [bare, reviewed]: [Array<Run>, Array<Run>] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(
      await runProcess<Run>('client.ts', ['bare', window, Math.floor(DEVICES / 2)], [place, recorded]),
    )
    reviewed.push(await runProcess<Run>('reviewer.ts', [file, window], [place]))
  }
  await stop()
  return [medianOf(bare), medianOf(reviewed)]
}

process.stdout.write(`${machine()}

${DEVICES} devices, median of ${ROUNDS}

| provider | window | bare client | review, ledger on | review / bare | processor time of a push: bare, review |
| --- | --- | --- | --- | --- | --- |
`)
for (const kind of KINDS)
  for (const window of WINDOWS) {
    const folder = mkdtempSync(join(tmpdir(), 'almoner-push-'))
    const [bare, reviewed] = await compare(kind, join(folder, 'almoner.db'), window)
    rmSync(folder, { recursive: true, force: true })
    const ratio = (reviewed.perSecond / bare.perSecond).toFixed(2)
    const time = [bare, reviewed].map(({ cpuPerPush }) => `${cpuPerPush.toFixed(0)} µs`).join(', ')
    process.stdout.write(
      `| ${kind} | ${window} | ${rate(bare)}/s | ${rate(reviewed)}/s | ${ratio} | ${time} |\n`,
    )
  }
process.stdout.write(`\nload at the end: ${machine().split('; ').at(-1)}\n`)
