/**
 * Push gateways that need no provider, and one that sends each push to the gateway of its provider.
 * @module @almoner/adapters-push
 */

export { type FileGateway, type FileOptions, openFileGateway } from './file-gateway.ts'
export * from './log-gateway.ts'
export { longestWait, type Pace, paced } from './pacing.ts'
export { type Gateways, routed } from './router.ts'
