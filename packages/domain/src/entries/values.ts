/**
 * Values and codecs that all areas share.
 * @module @almoner/domain/values
 */

export * from '../portfolio/source.ts'
export * from '../values/addresses.ts'
export { WEB_URL_MAX, WebUrl } from '../values/addresses.ts'
export * from '../values/ids.ts'
export * from '../values/page.ts'
export * from '../values/page.ts'
export * from '../values/parameters.ts'
export type { Branded } from '../values/refined.ts'
export * from '../values/refined.ts'
export * from '../values/refined.ts'
export * from '../values/results.ts'
export * from '../values/results.ts'
export * from '../values/text.ts'
export * from '../values/text.ts'
export * from '../values/text.ts'
export * from '../values/text.ts'
export * from '../values/text.ts'
export * from '../values/text.ts'
export * from '../values/time.ts'
export * from '../values/time.ts'
export * from '../values/time.ts'
export * from '../values/time.ts'
