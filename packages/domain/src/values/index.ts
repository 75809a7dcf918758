/**
 * Values and codecs that all areas share, and results for code without fp-ts.
 * @module @almoner/domain/values
 */

export { asciiForm, Email, lowerCased, WEB_URL_MAX, WebUrl, withoutSpaceAround } from './addresses.ts'
export * from './ids.ts'
export * from './page.ts'
export {
  type Condition,
  countsAsAbsent,
  decode,
  type FieldError,
  type FieldErrors,
  fieldError,
  fieldErrorsOf,
  Parameters,
  type ParametersOf,
  parameters,
  type RawParameters,
  REPEATED,
  type Shape,
  type ValidationFailed,
  validationFailed,
} from './parameters.ts'
export * from './refined.ts'
export * from './results.ts'
export * from './text.ts'
export * from './time.ts'
