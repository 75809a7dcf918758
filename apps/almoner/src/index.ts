/**
 * Almoner in a program of your own: opens all adapters from one options object.
 * @module almoner
 */

export { type AlmonerOptions, type OpenAlmoner, openAlmoner } from './composition/open-almoner.ts'
export type { PushLog, PushOptions, PushTarget } from './composition/push/host-gateway.ts'
