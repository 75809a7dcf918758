import type { FastifyRequest } from 'fastify'
import type { AnyParameters } from '../request/parameters.ts'

/** A name in a path as Fastify writes it, with the pattern that may follow it. */
const PATH_NAME = /:([A-Za-z]+)(?:\([^)]*\))?/g

/** Parameters that the URL of the next page does not repeat: it has a cursor. */
const NOT_REPEATED = new Set(['offset', 'after'])

/** Returns a route's path with its parameters filled in. */
const pathOf = ({ routeOptions, params }: FastifyRequest): string => {
  if (routeOptions.url?.includes(':') === false) return routeOptions.url
  const values = params as Readonly<Record<string, string>>
  return (routeOptions.url ?? '/').replaceAll(PATH_NAME, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
}

/** Returns a field of a query. A lone surrogate cannot be encoded, and is replaced. */
const fieldOf = (name: string, value: string): string => `${name}=${encodeURIComponent(value.toWellFormed())}`

/** Returns the URL of the next page: the known parameters of this one, so never the token (C11, A5). */
export const nextPageUrl = (
  request: FastifyRequest,
  cursor: string,
  parameters: AnyParameters,
  baseUrl: string,
): string => {
  const query = request.query as Readonly<Record<string, unknown>>
  const inPath = request.params ?? {}
  let fields = ''
  for (const [name] of parameters.fields) {
    const isRepeated = Object.hasOwn(query, name) && !Object.hasOwn(inPath, name) && !NOT_REPEATED.has(name)
    const value = isRepeated ? query[name] : undefined
    if (typeof value === 'string' && value !== '') fields += `${fieldOf(name, value)}&`
  }
  return `${baseUrl}${pathOf(request)}?${fields}${fieldOf('after', cursor)}`
}
