// Measures the event loop of the process that it is loaded into, and tells whoever connects: node --import ./bench/load/lag.ts …
// BENCH_LAG is the path of the socket it listens on. Each connection gets the delays since the last one, in milliseconds, as JSON.
// The service's own figure, nodejs_eventloop_lag_p99_seconds, comes from a timer of ten milliseconds and counts those ten as delay.
import { createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How long the event loop was held up, in milliseconds. */
export interface Lag {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Milliseconds from one look to the next, which the histogram counts as delay. */
const RESOLUTION = 1
const NANOSECONDS = 1_000_000

const path = process.env['BENCH_LAG']
if (path !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
  delay.enable()
  const beyond = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION)
  const server = createServer((socket) => {
    const lag: Lag = {
      p50: beyond(delay.percentile(50)),
      p99: beyond(delay.percentile(99)),
      max: beyond(delay.max),
    }
    delay.reset()
    socket.end(JSON.stringify(lag))
  })
  server.listen(path)
  server.unref()
}
