/**
 * Pushes by the browsers' push services.
 * @module @almoner/adapters-push/webpush
 */

export type { HttpsProxy } from '../connections.ts'
export { openWebPush, type WebPushGateway, type WebPushOptions } from './open-web-push.ts'
export { type VapidKeys, vapidFault } from './vapid.ts'
