/**
 * Pushes by Apple's push service.
 * @module @almoner/adapters-push/apns
 */

export type { HttpsProxy } from '../connections.ts'
export { type ApnsGateway, openApns } from './open-apns.ts'
export type { ApnsOptions } from './options.ts'
