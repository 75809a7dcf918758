import { decode, type Refined } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Parse } from './setting.ts'

/** A value that the domain has a codec for. */
export const ofDomain =
  <A>(codec: Refined<A>): Parse<A> =>
  (text) =>
    pipe(
      decode(codec)(text),
      E.mapLeft(({ faults: [first] }) => first.message),
    )

/** Any text: a path, which only the file system can judge. */
export const text: Parse<string> = E.right

/** A decimal number without sign, within bounds. */
export const wholeNumber =
  (least: number, most: number): Parse<number> =>
  (text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most
      ? E.right(Number(text))
      : E.left(`must be a whole number from ${least} to ${most}`)

/** Days, or `keep` for no end. */
export const daysOrKeep =
  (most: number): Parse<O.Option<number>> =>
  (text) =>
    text === 'keep'
      ? E.right(O.none)
      : pipe(
          wholeNumber(1, most)(text),
          E.bimap((rule) => `${rule}, or keep`, O.some),
        )

/** An address without slashes at its end, so that paths can follow it. */
export const withoutSlash = (url: string): string => new URL(url).href.replace(/(?<!\/)\/+$/, '')

/** One of a few names. */
export const choice =
  <A extends string>(...names: ReadonlyArray<A>): Parse<A> =>
  (text) =>
    pipe(
      names.find((name) => name === text),
      E.fromNullable(`must be one of ${names.join(', ')}`),
    )

/** `true` or `false`. */
export const yesOrNo: Parse<boolean> = (text) =>
  pipe(
    choice('true', 'false')(text),
    E.map((word) => word === 'true'),
  )

/** `on` or `off`. */
export const onOrOff: Parse<boolean> = (text) =>
  pipe(
    choice('on', 'off')(text),
    E.map((word) => word === 'on'),
  )

/** A span of years, as `2015-2018`, both included, or one year. */
export const years: Parse<{ readonly first: number; readonly last: number }> = (text) => {
  const [, first = '', last = first] = /^(\d{4})(?:-(\d{4}))?$/.exec(text) ?? []
  return first !== '' && first <= last
    ? E.right({ first: Number(first), last: Number(last) })
    : E.left('must be a year or two, as 2015-2018, the first not after the last')
}

/** A list with commas between its parts, each read by `parse`; the word `none` stands for no part at all. */
export const listOf =
  <A>(none: string, parse: Parse<A>): Parse<ReadonlyArray<A>> =>
  (text) =>
    text === none ? E.right([]) : E.traverseArray((part: string) => parse(part.trim()))(text.split(','))

/** Requests a minute, as `600/min`, or `off`. */
export const rate: Parse<O.Option<number>> = (text) => {
  if (text === 'off') return E.right(O.none)
  const [, count = ''] = /^(\d{1,9})\/min$/.exec(text) ?? []
  return Number(count) > 0 ? E.right(O.some(Number(count))) : E.left('must be off or of the form 600/min')
}
