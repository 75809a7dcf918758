// Makes requests, in a process of its own, whose processor time is the generator's: node tools/bench/load/generator.ts
// Whoever starts it sends one volley or pace at a time, and gets what came of it.
import { type Pace, pace } from './pace.ts'
import { fire, type Volley } from './volley.ts'
import { watch } from './watch.ts'

/** What a generator is told to do. */
export type Order = { readonly volley: Volley } | { readonly pace: Pace }

/** How long each request took, in milliseconds, and how many a second there were. */
export interface Paced {
  readonly perSecond: number
  readonly times: Float64Array
  /** The share of the whole machine that went to strangers meanwhile. */
  readonly others: number
  /** Seconds that the machine's processors were taken away meanwhile by those who share the hardware. */
  readonly stolen: number
}

const paced = async (order: Pace): Promise<Paced> => {
  const watched = watch(order.server, order.known)
  const times = await pace(order)
  const { others, stolen } = watched()
  return { perSecond: times.length / order.seconds, times: Float64Array.from(times), others, stolen }
}

process.on('message', async (order: Order) => {
  process.send?.('volley' in order ? await fire(order.volley) : await paced(order.pace))
})
