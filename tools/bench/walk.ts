import { performance } from 'node:perf_hooks'
import { done } from '../../packages/domain/contracts/index.ts'
import { EVERYTHING } from '../../packages/domain/src/index.ts'
import { QUERIES } from './pages.ts'
import { openStore } from './store.ts'

/** What a walk over the whole library took. */
export interface Walk {
  readonly items: number
  readonly seconds: number
  readonly peakMegabytes: number
}

const walk = async (file: string): Promise<Walk> => {
  const { engine, libraryItems } = await openStore(file)
  const start = performance.now()
  let items = 0
  const listing = await done(libraryItems.list(QUERIES['content-manager'], EVERYTHING))
  for await (const batch of listing.batches) items += batch.length
  const seconds = (performance.now() - start) / 1000
  await engine.close()
  return { items, seconds, peakMegabytes: process.resourceUsage().maxRSS / 1024 }
}

// Run as a process of its own, whose memory is its own: node tools/bench/walk.ts FILE
const [, , file = ''] = process.argv
process.stdout.write(JSON.stringify(await walk(file)))
