import { Email, nfcOf } from '@almoner/domain/values'

/** What the log says of a fault. */
export interface LoggedError {
  readonly type: string
  readonly message?: string
  readonly stack?: string
  readonly cause?: LoggedError
  readonly errors?: ReadonlyArray<LoggedError>
  readonly [detail: string]: unknown
}

/** The details of an error that are logged. All others are dropped: drivers put rows and parameters there, URLs their input. */
const DETAILS = ['code', 'syscall', 'address', 'port', 'table', 'constraint', 'statusCode'] as const

/** Shorter texts are words that say nothing of anybody, and would leave holes everywhere. */
const SHORTEST = 6

/** Words of this length are cut by themselves too, however what stands around them has been written. */
const LONG_WORD = /[A-Za-z0-9]{12,}/g

const CUT = '[cut]'

/** The form in which an address is stored (F1). */
const addressIn = (text: string): ReadonlyArray<string> => {
  const read = text.includes('@') ? Email.decode(text) : undefined
  return read?._tag === 'Right' ? [read.right] : []
}

/** How a text may have been passed on. */
const formsOf = (text: string): ReadonlyArray<string> => [
  text,
  nfcOf(text),
  ...addressIn(text),
  encodeURIComponent(text.toWellFormed()),
  encodeURI(text.toWellFormed()),
  JSON.stringify(text).slice(1, -1),
  // As Node prints it in other quotes.
  text.replaceAll('\\', '\\\\'),
  new URLSearchParams([['', text]]).toString().slice(1),
  ...(text.match(LONG_WORD) ?? []),
]

/** Cuts a text, given in lower case, out of another that holds it in some case. */
const without = (text: string, form: string): string => {
  const lower = text.toLowerCase()
  // Few letters change their length with their case, and then places in one are not places in the other.
  if (lower.length !== text.length) return CUT
  const parts: Array<string> = []
  let from = 0
  for (let at = lower.indexOf(form); at >= 0; at = lower.indexOf(form, from)) {
    parts.push(text.slice(from, at))
    from = at + form.length
  }
  return [...parts, text.slice(from)].join(CUT)
}

/** Removes texts from another, in any case. */
const cutting = (texts: ReadonlyArray<string>): ((text: string) => string) => {
  const forms = new Set(
    texts
      .filter(({ length }) => length >= SHORTEST)
      .flatMap(formsOf)
      .map((form) => form.toLowerCase()),
  )
  // What holds another goes first.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length)
  return (text) => {
    // One pattern of all of them would be larger than patterns may be; hardly any of them is ever there.
    const lower = text.toLowerCase()
    return longestFirst.filter((form) => lower.includes(form)).reduce(without, text)
  }
}

/** Errors in errors are followed so far. */
const DEPTH = 5

const tagOf = (error: object): string =>
  '_tag' in error && typeof error._tag === 'string' ? error._tag : (error.constructor?.name ?? 'object')

const detailsOf = (error: object, cut: (text: string) => string): Readonly<Record<string, unknown>> => {
  const details: Record<string, unknown> = {}
  for (const name of DETAILS) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'string') details[name] = cut(value)
    if (typeof value === 'number') details[name] = value
  }
  return details
}

const told = (error: unknown, cut: (text: string) => string, depth: number): LoggedError => {
  if (typeof error !== 'object' || error === null) return { type: typeof error, message: cut(String(error)) }
  const details = detailsOf(error, cut)
  if (!(error instanceof Error)) return { type: tagOf(error), ...details }
  const inner = depth < DEPTH ? error.cause : undefined
  const errors = error instanceof AggregateError && depth < DEPTH ? error.errors : undefined
  return {
    type: error.name,
    message: cut(error.message),
    stack: cut(error.stack ?? ''),
    ...details,
    ...(inner === undefined ? {} : { cause: told(inner, cut, depth + 1) }),
    ...(errors === undefined ? {} : { errors: errors.map((one) => told(one, cut, depth + 1)) }),
  }
}

/**
 * A fault as the log has it: its kind, message, stack and a few details, and those of its causes.
 * @param secrets texts of the request, which the fault may repeat and the log may not (A5)
 */
export const loggedError = (error: unknown, secrets: ReadonlyArray<string> = []): LoggedError =>
  told(error, cutting(secrets), 0)
