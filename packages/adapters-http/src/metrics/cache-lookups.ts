/** How often answers were looked for among those that are kept, by what came of it. */
export interface Lookups {
  /** Found before Fastify saw the request. */
  front: number
  /** Found for a caller of the same kind. */
  kept: number
  /** Not found, and made. */
  made: number
}

export const noLookups = (): Lookups => ({ front: 0, kept: 0, made: 0 })
