/**
 * Values and codecs that all areas share.
 * @module @almoner/domain/values
 */

export * from '../values/boolean.ts'
export type { Branded } from '../values/brand.ts'
export * from '../values/code-points.ts'
export * from '../values/collect.ts'
export * from '../values/colour.ts'
export * from '../values/day-range.ts'
export * from '../values/email.ts'
export * from '../values/file-messages.ts'
export * from '../values/folding.ts'
export * from '../values/ids.ts'
export * from '../values/instant.ts'
export * from '../values/language.ts'
export * from '../values/local-date.ts'
export * from '../values/page.ts'
export * from '../values/parameters.ts'
export * from '../values/plain.ts'
export * from '../values/refined.ts'
export * from '../values/refused-call.ts'
export * from '../values/search-words.ts'
export * from '../values/text.ts'
export * from '../values/time-zone.ts'
export { WEB_URL_MAX, WebUrl } from '../values/web-url.ts'
