/** Matches the links of a `Link` header: a URL in angle brackets and its parameters (RFC 8288 §3). */
const LINK = /<([^<>]*)>([^<]*)/g

/** Whether the parameters of a link have `next` in their `rel`. */
const isNext = (said: string): boolean =>
  said.split(/[;,]/).some((parameter) => {
    const [name = '', value = ''] = parameter.split('=')
    const words = value.replaceAll('"', '').toLowerCase().split(/\s/)
    return name.trim().toLowerCase() === 'rel' && words.includes('next')
  })

/**
 * The query of the page after this one, from what `Link` leads to (C11). Of the address only the query is used: the token goes nowhere
 * else than where the client was told the service is.
 */
export const nextQuery = (headers: Headers): Readonly<Record<string, string>> | undefined => {
  for (const [, address = '', said = ''] of (headers.get('Link') ?? '').matchAll(LINK))
    if (isNext(said)) return Object.fromEntries(new URL(address, 'http://localhost').searchParams)
  return undefined
}
