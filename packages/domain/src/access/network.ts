/** Returns the 16-bit groups of a part of an IPv6 address; an IPv4 address at its end stands for two. */
const groupsOf = (part: string): ReadonlyArray<number> =>
  part === ''
    ? []
    : part.split(':').flatMap((group) => {
        if (/^[0-9a-f]{1,4}$/i.test(group)) return [Number.parseInt(group, 16)]
        const [a = Number.NaN, b = Number.NaN, c = Number.NaN, d = Number.NaN] = group.split('.').map(Number)
        return [a * 256 + b, c * 256 + d]
      })

/** Returns the eight groups of an IPv6 address, with the zeros that `::` stands for; undefined if the text is no such address. */
const expand = (address: string): ReadonlyArray<number> | undefined => {
  const [head = '', tail, more] = address.split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(8 - before.length - after.length, 0)
  const groups = [...before, ...Array<number>(zeros).fill(0), ...after]
  return more === undefined && groups.length === 8 && !groups.some(Number.isNaN) ? groups : undefined
}

/** The first six groups of an IPv6 address that stands for an IPv4 one, as `::ffff:192.0.2.1` does (RFC 4291 §2.5.5.2). */
const MAPPED = '0,0,0,0,0,65535'

/**
 * Returns the network that failed attempts of an address are counted by (A8): an IPv4 address itself, mapped into IPv6 or not, and the
 * first 64 bits of an IPv6 address, as one subscriber has at least those. Returns a text that is no address as it is.
 */
export const networkOf = (address: string): string => {
  const groups = address.includes(':') ? expand(address.replace(/%.*$/, '')) : undefined
  if (groups === undefined) return address
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 6).join() === MAPPED) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}
