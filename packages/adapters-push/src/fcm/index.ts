/**
 * Pushes by Firebase Cloud Messaging.
 * @module @almoner/adapters-push/fcm
 */

export type { HttpsProxy } from '../agent.ts'
export { type FcmCredentials, parseServiceAccount } from './credentials.ts'
export { type FcmGateway, type FcmOptions, openFcm } from './open-fcm.ts'
