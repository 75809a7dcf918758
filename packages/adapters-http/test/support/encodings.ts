import type { Send } from './fixture.ts'

/** Parameters as pairs, so that one can be given twice. */
export type Pairs = ReadonlyArray<readonly [string, string]>

const jsonText = (pairs: Pairs): string =>
  `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`

const multipart = (pairs: Pairs): FormData => {
  const form = new FormData()
  for (const [name, value] of pairs) form.append(name, value)
  return form
}

/** The same parameters in each encoding of B1. */
export const ENCODINGS: Readonly<Record<'json' | 'form' | 'multipart', (pairs: Pairs) => Send>> = {
  json: (pairs) => ({ headers: { 'content-type': 'application/json' }, body: jsonText(pairs) }),
  form: (pairs) => ({ form: pairs.map(([name, value]) => [name, value] as [string, string]) }),
  multipart: (pairs) => ({ multipart: multipart(pairs) }),
}

export type Encoding = keyof typeof ENCODINGS

export const ENCODING_NAMES = Object.keys(ENCODINGS) as ReadonlyArray<Encoding>
