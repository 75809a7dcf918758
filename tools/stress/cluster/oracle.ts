// What each process has shown and what was acknowledged, and whether an answer fits that.
import { check } from '../campaign.ts'
import { processes, wasHalted } from './processes.ts'
import { wasOut } from './servers.ts'

/** Milliseconds after which every process shows what was acknowledged (I8). */
export const LAG = 2000

/** What happens to servers and processes, or has just happened. */
export const disturbances = new Set<string>()

/** An item whose title ends with its version. */
export interface Shown {
  readonly itemId: string
  readonly itemTitle: string
}

/** An item with the latest version that was acknowledged, the latest that was sent, and the versions that a process refused. */
export interface Written {
  readonly id: string
  readonly kind: 'feed' | 'library'
  readonly acknowledged: Array<number>
  readonly refused: Set<number>
  sent: number
  /** What every process has to show from a moment on. */
  readonly due: Array<{ readonly version: number; readonly from: number }>
}
export const written = new Map<string, Written>()

export const totals = {
  reads: 0,
  writes: 0,
  refused: 0,
  unanswered: 0,
  unknown: 0,
  uploads: 0,
  images: 0,
  changes: 0,
  disabled: 0,
  /** Requests that failed because there was no primary. */
  failedInOutage: 0,
  /** Writes that waited too long for what a halted process held. */
  keptOut: 0,
}

export const versionOf = ({ itemTitle }: Pick<Shown, 'itemTitle'>): number =>
  Number(itemTitle.split(' ').at(-1))

/** Returns the versions that each process has shown so far. */
export const known = () => ({
  asked: performance.now(),
  shown: new Map(processes.map(({ number, shown }) => [number, new Map(shown)])),
})
export type Known = ReturnType<typeof known>

const processOf = (number: number) => processes.find((one) => one.number === number)

/** Takes note that a process has shown a version. */
export const raise = (number: number, id: string, version: number): void => {
  const shown = processOf(number)?.shown
  shown?.set(id, Math.max(version, shown.get(id) ?? 0))
}

/** Checks what an answer of a process shows against what was known when it was asked for. */
export const judge = (path: string, number: number, item: Shown, { asked, shown }: Known): void => {
  const { itemId: id } = item
  const one = written.get(id)
  if (one === undefined) return
  const version = versionOf(item)
  const least = shown.get(number)?.get(id) ?? 0
  const name = `process ${number}${processOf(number)?.keeps ? ', which keeps answers,' : ''}`
  check(version >= least, `${name} shows version ${version} of ${id} after ${least} for ${path}`)
  const due = one.due.findLast(({ from }) => from <= asked)?.version ?? 0
  check(version >= due, `${name} shows version ${version} of ${id}, ${due} is ${LAG} ms old, for ${path}`)
  check(!one.refused.has(version), `${name} shows version ${version} of ${id}, which was not to be stored`)
  raise(number, id, version)
}

/** An answer of a process, as far as it says whether it succeeded. */
interface Outcome {
  readonly status: number
  readonly headers: Headers
  readonly body?: { readonly code?: string } | undefined
}

/** Checks that a request succeeded, unless there was no primary meanwhile, or a halted process kept a write out. Returns whether it did. */
export const succeeded = (what: string, { status, headers, body }: Outcome, sent: number): boolean => {
  if (status === 200) return true
  if ((status === 503 || status === 502) && wasOut(sent)) totals.failedInOutage += 1
  else if (status === 503 && what.startsWith('POST') && wasHalted(sent)) totals.keptOut += 1
  else {
    const took = Math.round(performance.now() - sent)
    const number = Number(headers.get('x-process'))
    const [log] = /"message":"[^"]*/.exec(processOf(number)?.server.lastLines() ?? '') ?? []
    check(
      false,
      `${what}: status ${status} ${body?.code} of process ${number} after ${took} ms: ${[...disturbances]}: ${log}`,
    )
  }
  return false
}
