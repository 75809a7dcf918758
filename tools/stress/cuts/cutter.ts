import { setTimeout as pause } from 'node:timers/promises'
import type { Proxy as Way } from '../../../packages/loopback-postgres/src/index.ts'

/** Between two resets of a connection there are at most so many milliseconds. */
const APART = 200

/** One moment in so many cuts all connections. */
const ALL = 50

/** For so many milliseconds an outage lets nobody in: longer than a process tries to write down what it has sent. */
const OUTAGE = 12_000

/** While an outage lasts, connections live at most so many milliseconds. */
const BLINK = 5

/** What was cut: single connections, all at once, and all again and again. */
export interface Cut {
  one: number
  all: number
  outages: number
}

const outage = async (way: Way): Promise<void> => {
  for (const end = performance.now() + OUTAGE; performance.now() < end; await pause(BLINK)) way.cut()
}

/** Cuts connections at random moments, one at a time and now and then all, for so many seconds, with so many outages among them. */
export const cutFor = async (way: Way, seconds: number, outages: number): Promise<Cut> => {
  const done: Cut = { one: 0, all: 0, outages: 0 }
  const started = performance.now()
  const passed = () => (performance.now() - started) / 1000 / seconds
  while (passed() < 1) {
    await pause(Math.random() * APART)
    if (passed() > (done.outages + 0.5) / outages) {
      await outage(way)
      done.outages += 1
    } else if (Math.random() * ALL < 1) {
      way.cut()
      done.all += 1
    } else if (way.resetOne()) done.one += 1
  }
  return done
}
