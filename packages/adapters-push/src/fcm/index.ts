export type { FcmCredentials } from './credentials.ts'
export { type FcmGateway, type FcmOptions, openFcm } from './open-fcm.ts'
