/** A JSON object with unchecked members. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text as JSON; undefined when it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // What a provider makes of that is for its own rules.
    return undefined
  }
}
