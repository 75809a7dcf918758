import { randomBytes } from 'node:crypto'

/** Texts that must not be seen where they do not belong, by what they are. */
export interface Canaries {
  readonly token: string
  readonly secret: string
  readonly email: string
  /** A device token. */
  readonly device: string
  /** Random, and different in every encoding. */
  readonly text: string
}

const random = (): string => randomBytes(24).toString('base64url')

/** Fresh canaries: nothing else in the world looks like them. */
export const newCanaries = (): Canaries => ({
  token: random(),
  secret: random(),
  email: `${randomBytes(12).toString('hex')}@canary.example.org`,
  device: random(),
  text: `é"+ /${random()}\\&?=#%`,
})

/** The part of a text's base64 form that does not depend on the `before` bytes in front of it. */
const base64At = (text: string, before: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString('base64')
  return encoded.slice(before === 0 ? 0 : 4, encoded.length - 4)
}

const escapedJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const makeForms = (text: string): ReadonlyArray<string> => {
  const base64 = [0, 1, 2].map((before) => base64At(text, before))
  const plain = [
    text,
    encodeURIComponent(text),
    encodeURI(text),
    new URLSearchParams([['', text]]).toString().slice(1),
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('latin1'),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ]
  const once = plain.map(escapedJson)
  return [...new Set([...plain, ...once, ...once.map(escapedJson)].map((form) => form.toLowerCase()))]
}

const known = new Map<string, ReadonlyArray<string>>()

/** Every form in which a text may have been passed on, in lower case. */
const formsOf = (text: string): ReadonlyArray<string> => {
  const forms = known.get(text) ?? makeForms(text)
  known.set(text, forms)
  return forms
}

/** The core of a text that no encoding changes: its longest run of letters and digits. */
export const coreOf = (text: string): string =>
  text.split(/[^A-Za-z0-9]/).reduce((longest, run) => (run.length > longest.length ? run : longest), '')

/** The names of the canaries that a text contains in any form and case. */
export const seenIn = (
  haystack: string,
  canaries: Readonly<Record<string, string>>,
): ReadonlyArray<string> => {
  const folded = haystack.toLowerCase()
  return Object.entries(canaries)
    .filter(([, text]) => formsOf(text).some((form) => folded.includes(form)))
    .map(([name]) => name)
}
