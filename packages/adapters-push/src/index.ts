export { type FileGateway, type FileOptions, openFileGateway } from './file-gateway.ts'
export * from './log-gateway.ts'
export { longestWait, type Pace, paced } from './pacing.ts'
export { type Gateways, routed } from './router.ts'
