export { type ApnsGateway, openApns } from './open-apns.ts'
export type { ApnsOptions } from './options.ts'
