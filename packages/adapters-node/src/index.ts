/**
 * Clock, timer, chance, identifiers and secrets, from Node itself, lines of a log that never wait for a reader, the end of a process with `npx`,
 * variables that hosts set, and processes that share a port.
 * @module @almoner/adapters-node
 */

export { type HttpsProxy, type Route, readHttpsProxy, serverTime } from './https-proxy.ts'
export { type Processes, type Stoppable, stopWithLauncher } from './launcher.ts'
export * from './log-destination.ts'
export * from './ports.ts'
export * from './settings.ts'
export { isOfService, pathFault } from './settings.ts'
export * from './worker-pool.ts'
