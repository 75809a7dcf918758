import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A process of the bench that answers messages. */
export interface Helper {
  readonly pid: number
  /** Sends a message and resolves with the reply. Rejects when the process ends instead. */
  ask(message: unknown): Promise<unknown>
  stop(): Promise<void>
}

const replyOf = async (child: ChildProcess): Promise<unknown> => {
  const end = new AbortController()
  const { signal } = end
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a process of the bench ended with ${code}`)
  })
  try {
    const [reply] = await Promise.race([once(child, 'message', { signal }), ended])
    return reply
  } finally {
    ended.catch(() => {})
    end.abort()
  }
}

/** Starts a file of tools/bench as a process. It ends when this process disconnects. */
export const startHelper = (file: string, args: ReadonlyArray<string> = []): Helper => {
  const child = fork(resolve(import.meta.dirname, file), [...args], { serialization: 'advanced' })
  return {
    pid: child.pid ?? 0,
    ask: (message) => {
      child.send(message as object)
      return replyOf(child)
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** Clock ticks a second in /proc. */
const TICKS = 100

const fieldsOf = (pid: number): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')

const parentOf = (pid: number): number => {
  try {
    return Number(fieldsOf(pid)[1])
  } catch {
    return 0
  }
}

/** Lists a process and its children. */
export const processesOf = (pid: number): ReadonlyArray<number> => {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return [pid, ...all.map(Number).filter((candidate) => parentOf(candidate) === pid)]
}

/** Sums the processor time of processes and all their threads, in seconds. */
export const cpuOf = (pids: ReadonlyArray<number>): number =>
  pids.map(fieldsOf).reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0) / TICKS

/** Reads a process's memory in megabytes: resident now (`VmRSS`) or at its peak (`VmHWM`). */
export const memoryOf = (pid: number, figure: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
}
