import { join } from 'node:path'
import { fillDevices } from '../../stress/fill-devices.ts'
import { type Compared, type Effort, type Figures, medianBy } from '../compare.ts'
import type { Dataset } from '../dataset.ts'
import { startHelper } from '../processes.ts'
import type { PushFigures, Start } from './client.ts'
import type { ProviderKind, ProviderPlace } from './provider.ts'
import { tokenOf } from './pushes.ts'
import { record } from './recorded.ts'

/** A row of the table: pushes to a provider on loopback. */
export interface PushRow {
  readonly name: string
  readonly title: string
  readonly kind: ProviderKind
  /** `review` includes the ledger on SQLite. */
  readonly role: 'gateway' | 'review'
  readonly other: 'byHand' | 'curves' | 'reviewByHand'
  /** Concurrent pushes. */
  readonly window: number
  readonly least?: number
}

const BASELINES: Readonly<Record<PushRow['other'], string>> = {
  byHand: 'hand-written node:http2 client',
  curves: 'elliptic curves alone, as many threads',
  reviewByHand: 'the same client, the same rows written by hand',
}

/** Everything that is measured beside a hand-written node:http2 client, or the work on curves alone. */
export const PUSH_ROWS: ReadonlyArray<PushRow> = [
  {
    ...{ name: 'fcm', title: 'a push by FCM', kind: 'fcm', role: 'gateway', window: 100 },
    ...{ other: 'byHand', least: 0.87 },
  },
  {
    ...{ name: 'apns', title: 'a push by APNs', kind: 'apns', role: 'gateway', window: 100 },
    ...{ other: 'byHand', least: 0.8 },
  },
  {
    ...{ name: 'webpush', title: 'a push by Web Push', kind: 'webpush', role: 'gateway', window: 100 },
    ...{ other: 'curves', least: 0.7 },
  },
  {
    name: 'review',
    title: 'a push of a review by FCM, with ledger',
    kind: 'fcm',
    role: 'review',
    other: 'reviewByHand',
    window: 1000,
    least: 0.8,
  },
]

/** A provider, and what both sides work on. */
interface PushSides {
  /** Runs a side in a process. */
  run(side: 'ours' | 'theirs'): Promise<PushFigures>
  stop(): Promise<void>
}

/** Starts the provider of a row, and makes what its sides work on: a separate database with the same rows each, or a number of pushes. */
export const preparePush = async (
  { newFolder, size }: Pick<Dataset, 'newFolder' | 'size'>,
  { kind, role, other, window }: PushRow,
): Promise<PushSides> => {
  const provider = startHelper('push/provider.ts', [kind])
  const place = (await provider.ask('open')) as ProviderPlace
  const start: Start = { place, recorded: await record(place) }
  const workFor = async (side: string): Promise<string> => {
    if (role !== 'review') return String(Math.floor(size.devices / 2))
    const file = join(newFolder(), `${side}.db`)
    await fillDevices(file, size.devices, (n) => ({ token: tokenOf(place, n), kind }))
    return file
  }
  const work = { ours: await workFor('ours'), theirs: await workFor('theirs') }
  return {
    run: async (side) => {
      const args = [side === 'ours' ? role : other, work[side], String(window)]
      const client = startHelper('push/client.ts', args)
      const figures = (await client.ask(start)) as PushFigures
      await client.stop()
      return figures
    },
    stop: provider.stop,
  }
}

/** Measures a gateway or a review and the other side by turns; the round with the median ratio counts. */
export const comparePush = async (
  dataset: Dataset,
  row: PushRow,
  { rounds }: Pick<Effort, 'rounds'>,
): Promise<Compared> => {
  const { name, title, other, least } = row
  const { run, stop } = await preparePush(dataset, row)
  const measured: Array<readonly [Figures, Figures]> = []
  for (let round = 0; round < rounds; round += 1) measured.push([await run('ours'), await run('theirs')])
  await stop()
  const sides = medianBy(measured, ([our, their]) => their.cpu / our.cpu)
  return { name, title, baseline: BASELINES[other], ...(least && { least }), sides }
}
