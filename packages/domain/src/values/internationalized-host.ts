import { nfcOf } from './refined.ts'
import { isParsable, parseUrl } from './web-url.ts'

// The parameters of Punycode (RFC 3492, section 5).
const [BASE, T_MIN, T_MAX, SKEW, DAMP, FIRST_BIAS, FIRST_CODE_POINT] = [36, 1, 26, 38, 700, 72, 0x80]

const adapted = (delta: number, count: number, isFirst: boolean): number => {
  let [rest, k] = [Math.floor(delta / (isFirst ? DAMP : 2)), 0]
  rest += Math.floor(rest / count)
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN))
    k += BASE
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Reads one number of variable length. Returns it with the position behind it; undefined where the text ends within it. */
const readNumber = (text: string, from: number, bias: number): readonly [number, number] | undefined => {
  let [value, weight, at] = [0, 1, from]
  for (let k = BASE; at < text.length; k += BASE) {
    const digit = DIGITS.indexOf(text.charAt(at))
    at += 1
    if (digit < 0) return undefined
    value += digit * weight
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
    if (digit < threshold) return [value, at]
    weight *= BASE - threshold
  }
  return undefined
}

/** Decodes the part of a label after `xn--` (RFC 3492, section 6.2); undefined if it is not valid. */
const decodePunycode = (text: string): string | undefined => {
  const delimiter = text.lastIndexOf('-')
  const output = [...text.slice(0, Math.max(delimiter, 0))]
  const basic = output.length
  let [codePoint, place, bias] = [FIRST_CODE_POINT, 0, FIRST_BIAS]
  for (let at = delimiter + 1; at < text.length; ) {
    const read = readNumber(text, at, bias)
    if (read === undefined) return undefined
    const [delta, next] = read
    at = next
    const count = output.length + 1
    bias = adapted(delta, count, count === basic + 1)
    codePoint += Math.floor((place + delta) / count)
    place = (place + delta) % count
    if (codePoint > 0x10ffff) return undefined
    output.splice(place, 0, String.fromCodePoint(codePoint))
    place += 1
  }
  return output.join('')
}

const ACE = /^xn--/
const ADDRESS = /^[\d.]+$/

const asciiOf = (host: string): string | undefined =>
  isParsable(`http://${host}/`) ? parseUrl(`http://${host}/`).hostname : undefined

/** Returns a host name in the ASCII form of IDNA; a name without one as it is. */
export const asciiHost = (host: string): string => asciiOf(host) ?? host

/** Returns the Unicode form of a label, if that form has this label as its ASCII form, and the label itself otherwise. */
const unicodeLabel = (label: string): string => {
  const decoded = ACE.test(label) ? decodePunycode(label.slice(4)) : undefined
  return decoded !== undefined && asciiOf(decoded) === label ? nfcOf(decoded) : label
}

/**
 * Returns a host name in Unicode and lower case, so that its forms of IDNA (UTS 46) become one: Punycode, full-width letters and dots. Returns a
 * name that is no valid IDNA name in lower case alone.
 */
export const unicodeHost = (host: string): string => {
  const lower = nfcOf(host).toLowerCase()
  if (!/[^\0-\x7f]|(?:^|\.)xn--/.test(lower)) return lower
  const ascii = asciiOf(host)
  // The parser reads names of numbers as addresses of machines.
  return ascii === undefined || ADDRESS.test(ascii) ? lower : ascii.split('.').map(unicodeLabel).join('.')
}
