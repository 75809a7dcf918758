import type { FastifyRequest } from 'fastify'
import type { AnyParameters } from '../route.ts'
import { remember } from './memoize.ts'
import type { Asked } from './render.ts'

/** A name in a path as Fastify writes it, with the pattern that may follow it. */
const PATH_NAME = /:([A-Za-z]+)(?:\([^)]*\))?/g

/** Parameters that the next page's address does not repeat: it has its own beginning. */
const NOT_REPEATED = new Set(['offset', 'after'])

/** A route's path with the names in it filled in by what the request's address named. */
const pathOf = ({ routeOptions, params }: FastifyRequest): string => {
  if (routeOptions.url?.includes(':') === false) return routeOptions.url
  const values = params as Readonly<Record<string, string>>
  return (routeOptions.url ?? '/').replaceAll(PATH_NAME, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
}

/** A field of a query. Half of a pair of surrogates, which cannot be encoded, is no character to anybody. */
const fieldOf = (name: string, value: string): string => `${name}=${encodeURIComponent(value.toWellFormed())}`

/** The names of the parameters that a next page has again, and those that stand in its path. */
const repeatedOf = remember(({ shape: { required, optional } }: AnyParameters) =>
  Object.keys({ ...required, ...optional }).filter((name) => !NOT_REPEATED.has(name)),
)

/** The address of the next page: the known parameters of this one, so never the token (C11, A5). */
export const nextAddress = (next: string, { request, parameters, baseUrl }: Asked): string => {
  const query = request.query as Readonly<Record<string, unknown>>
  const inPath = request.params ?? {}
  let kept = ''
  for (const name of repeatedOf(parameters)) {
    const value = Object.hasOwn(query, name) && !Object.hasOwn(inPath, name) ? query[name] : undefined
    if (typeof value === 'string' && value !== '') kept += `${fieldOf(name, value)}&`
  }
  return `${baseUrl}${pathOf(request)}?${kept}${fieldOf('after', next)}`
}
