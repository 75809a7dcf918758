import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** Ticks of a processor's clock in a second, as Linux counts them for everybody. */
const TICKS = 100

const fieldsOf = (pid: number): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')

/** The processes of a server: itself and its workers. */
export const processesOf = (pid: number): ReadonlyArray<number> => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const isChild = (candidate: number): boolean => {
    try {
      return Number(fieldsOf(candidate)[1]) === pid
    } catch {
      return false
    }
  }
  return [pid, ...all.filter(isChild)]
}

/** Seconds of processor time that processes have used, with all their threads. */
export const cpuOf = (pids: ReadonlyArray<number>): number =>
  pids.map(fieldsOf).reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0) / TICKS

const ofAllProcessors = (): ReadonlyArray<number> =>
  (/^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '').split(' ').map(Number)

/** Seconds that the machine's processors have been busy, whoever they worked for. */
export const busy = (): number => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, steal = 0] = ofAllProcessors()
  return (user + nice + system + irq + soft + steal) / TICKS
}

/** Seconds that processors of a virtual machine had work and stood still, as the hardware's host had given them to others (`steal`). */
export const stolen = (): number => (ofAllProcessors()[7] ?? 0) / TICKS

/** A figure of a process's memory in megabytes: what it holds now (`VmRSS`), or the most it ever held (`VmHWM`). */
export const memoryOf = (pid: number, figure: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
}

/** Others may use this share of the machine at most: what is measured while they used more is measured again. */
export const UNDISTURBED = 0.05
const TRIES = 1000

/** Resolves when others leave the machine alone. */
export const quiet = async (): Promise<void> => {
  for (let n = 0; n < TRIES; n += 1) {
    const before = busy()
    await pause(1000)
    if ((busy() - before) / cpus().length <= UNDISTURBED) return
  }
  throw new Error('the machine is never quiet')
}

const REST = 100

/** Resolves when processes have nothing to do: what one run has asked for last is not to be done in the next. */
export const rested = async (pids: ReadonlyArray<number>): Promise<void> => {
  for (let n = 0; n < TRIES; n += 1) {
    const before = cpuOf(pids)
    await pause(REST)
    if (cpuOf(pids) - before <= 1 / TICKS) return
  }
  throw new Error('a server does not come to rest')
}
