import { fillDevices } from '../../stress/fill-devices.ts'
import type { Flooded } from './flood.ts'
import { medianOf } from './measure.ts'
import type { ProviderKind } from './place.ts'
import { runProcess, startProvider } from './processes.ts'
import { tokenOf } from './pushes.ts'
import { record } from './recorded.ts'

/** What a run came to. */
export type Run = Omit<Flooded, 'memory'>

/** What is compared. */
export interface Reviewing {
  /** A database that is not there yet. */
  readonly file: string
  readonly devices: number
  readonly window: number
  readonly rounds: number
}

/**
 * Pushes by a review with its ledger, and by a bare node:http2 client that posts the same requests, by turns; the median of each. A run is
 * one notification to two thirds of the devices.
 */
export const compareReview = async (
  kind: ProviderKind,
  { file, devices, window, rounds }: Reviewing,
): Promise<{ readonly bare: Run; readonly reviewed: Run }> => {
  const { place, stop } = await startProvider(kind, 0)
  const recorded = await record(place)
  await fillDevices(file, devices, (n) => ({ token: tokenOf(place, n), kind }))
  const [bare, reviewed]: [Array<Run>, Array<Run>] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    bare.push(
      await runProcess<Run>('client.ts', ['bare', window, Math.floor(devices / 2)], [place, recorded]),
    )
    reviewed.push(await runProcess<Run>('reviewer.ts', [file, window], [place]))
  }
  await stop()
  return { bare: medianOf(bare), reviewed: medianOf(reviewed) }
}
