import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** The campaign's folder. It is removed when the process exits. */
export const folder = mkdtempSync(join(tmpdir(), 'almoner-stress-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** Everything that was not as it should be. */
export const findings: Array<string> = []

/** Adds a finding when something does not hold, and shows it at once. */
export const check = (holds: boolean, finding: string): void => {
  if (holds) return
  findings.push(finding)
  process.stderr.write(`\n${new Date().toISOString()} ${finding}\n`)
}

/** Reads options such as `--seconds 300`. An option is a number where its default is one. */
export const options = <A extends Readonly<Record<string, string | number>>>(
  defaults: A,
): { readonly [K in keyof A]: A[K] extends number ? number : string } => {
  const entries = Object.entries(defaults)
  const { values } = parseArgs({
    options: Object.fromEntries(entries.map(([name]) => [name, { type: 'string' } as const])),
  })
  const read = ([name, fallback]: readonly [string, string | number]) => {
    const value = values[name] ?? fallback
    return [name, typeof fallback === 'number' ? Number(value) : value]
  }
  return Object.fromEntries(entries.map(read))
}

/** Shows how far the campaign is, on one line of the terminal. */
export const progress = (text: string): void => {
  process.stderr.write(`\r${text}, ${findings.length} findings `)
}

/** Prints the figures and the first findings as JSON and ends the process: with 1 if there are findings. */
export const report = (figures: object): never => {
  const count = findings.length
  const outcome = { ...figures, count, findings: findings.slice(0, 20) }
  process.stdout.write(`\n${JSON.stringify(outcome, null, 2)}\n`)
  return process.exit(count === 0 ? 0 : 1)
}

/** How often requests of each kind had each outcome, and the longest in milliseconds. */
export const requests: Record<string, Record<string, number>> = {}

/** Does a request and counts it: as done, or by the name that `outcomeOf` gives to its error. */
export const measure = async <A>(
  kind: string,
  request: () => Promise<A>,
  outcomeOf: (error: unknown) => string,
): Promise<A | undefined> => {
  const start = performance.now()
  requests[kind] ??= {}
  const counts = requests[kind]
  const [outcome, result] = await request().then(
    (result) => ['done', result] as const,
    (error) => [outcomeOf(error), undefined] as const,
  )
  counts[outcome] = (counts[outcome] ?? 0) + 1
  counts['longest'] = Math.max(counts['longest'] ?? 0, Math.round(performance.now() - start))
  return result
}

/** Checks that each acknowledged title is there once, any other that was sent at most once, and no other at all. */
export const checkTitles = (sent: ReadonlyMap<string, boolean>, there: ReadonlyArray<string>): void => {
  const counts = new Map<string, number>()
  for (const title of there) counts.set(title, (counts.get(title) ?? 0) + 1)
  for (const [title, isAcknowledged] of sent) {
    const count = counts.get(title) ?? 0
    check(count === 1 || (count === 0 && !isAcknowledged), `${title} is there ${count} times`)
  }
  for (const title of counts.keys()) check(sent.has(title), `${title} was never sent`)
}
