/**
 * Push gateways that need no provider, and one that sends each push to the gateway of its provider.
 * @module @almoner/adapters-push
 */

export { byProvider, type Gateways } from './by-provider.ts'
export { type FileGateway, type FileOptions, openFileGateway } from './file-gateway.ts'
export * from './log-gateway.ts'
export { longestWait, type Rate, rateLimited } from './rate-limited.ts'
