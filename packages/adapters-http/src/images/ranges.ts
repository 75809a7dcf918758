import type { BytePart } from '@almoner/domain'

/** What a Range header asks for of a file: all of it, a part, or what it does not have. */
export type Wanted = 'all' | 'none' | BytePart

const SPEC = /^\s*(\d*)-(\d*)\s*$/

/** One range, if the file has it. One that asks for more bytes from the end than there are is none: the folder says so too. */
const partOf = (spec: string, size: number): ReadonlyArray<BytePart> => {
  const [, from = '', to = ''] = SPEC.exec(spec) ?? []
  if (from === '' && to === '') return []
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  const first = from === '' ? size - Number(to) : Number(from)
  return first >= 0 && first <= last ? [{ first, last }] : []
}

/** Ranges that meet or overlap are one. */
const joined = (parts: ReadonlyArray<BytePart>): ReadonlyArray<BytePart> => {
  const all: Array<BytePart> = []
  for (const part of [...parts].sort((a, b) => a.first - b.first)) {
    const before = all.at(-1)
    if (before === undefined || part.first > before.last + 1) all.push(part)
    else all[all.length - 1] = { first: before.first, last: Math.max(before.last, part.last) }
  }
  return all
}

/** What a Range header asks for (RFC 9110 §14.2). Units other than bytes, and several parts, are answered with the whole. */
export const wantedOf = (range: string | undefined, size: number): Wanted => {
  if (range === undefined || !/^ *bytes=/.test(range)) return 'all'
  const specs = range.slice(range.indexOf('=') + 1).split(',')
  const [only, ...more] = joined(specs.flatMap((spec) => partOf(spec, size)))
  if (only === undefined) return 'none'
  return more.length === 0 ? only : 'all'
}
