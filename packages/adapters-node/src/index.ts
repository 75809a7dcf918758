/**
 * Clock, timer, chance, identifiers and secrets, from Node itself, lines of a log that never wait for a reader, the end of a process with `npx`,
 * variables that hosts set, and processes that share a port.
 * @module @almoner/adapters-node
 */

export * from './clock.ts'
export { type HttpsProxy, readHttpsProxy } from './https-proxy.ts'
export * from './ids.ts'
export { type Processes, type Stoppable, stopWithLauncher } from './launcher.ts'
export { pathFault } from './local-path.ts'
export * from './log-destination.ts'
export * from './public-url.ts'
export * from './random.ts'
export * from './secrets.ts'
export { type Route, serverTime } from './server-time.ts'
export { isOfService } from './service-variables.ts'
export * from './timer.ts'
export * from './worker-pool.ts'
