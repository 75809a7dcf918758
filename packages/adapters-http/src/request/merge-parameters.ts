import { countsAsAbsent, type RawParameters } from '@almoner/domain'
import type { AnyParameters } from '../route.ts'

/** The three places a parameter may sit. */
export interface Places {
  readonly path: RawParameters
  readonly query: RawParameters
  readonly body: RawParameters
}

const own = (raw: RawParameters, key: string): unknown => (Object.hasOwn(raw, key) ? raw[key] : undefined)

/**
 * The values that count, by name: what the path says, else what the body says, else the query (B2). A name that one place gives
 * twice is passed on as an array, wherever the value that counts comes from, and refused by the codec.
 */
export const gather = (parameters: AnyParameters, { path, query, body }: Places): RawParameters => {
  const gathered: Record<string, unknown> = {}
  for (const [key, codec] of parameters.fields) {
    const given = [own(path, key), own(body, key), own(query, key)]
    gathered[key] = given.find(Array.isArray) ?? given.find((candidate) => !countsAsAbsent(candidate, codec))
  }
  return gathered
}
