import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { beginCommand } from '../../stress/server.ts'
import { median } from './figures.ts'
import { memoryOf, quiet } from './machine.ts'
import { READS, withToken } from './reads.ts'
import type { Rig } from './rig.ts'
import { SETTINGS } from './servers.ts'

/** What a start takes. */
export interface Started {
  /** Milliseconds from the process's beginning to the first page of items that it answers, in the middle. */
  readonly milliseconds: number
  /** Megabytes that it holds while it has nothing to do, in the middle. */
  readonly idle: number
}

/** Milliseconds until it is asked again. */
const GRACE = 2
const PATIENCE = 30_000

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Whether anybody listens on a port. Asking costs next to nothing: whoever starts has need of the processors. */
const isTaken = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Asks until there is an answer. Throws when there is none for long. */
const firstAnswer = async (port: number, path: string): Promise<void> => {
  const end = performance.now() + PATIENCE
  while (performance.now() < end) {
    if (await isTaken(port)) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      await answer.arrayBuffer()
      if (answer.status === 200) return
    }
    await pause(GRACE)
  }
  throw new Error('the service does not answer')
}

const startOnce = async (folder: string, path: string, settled: number): Promise<Started> => {
  const port = await freePort()
  const begun = performance.now()
  const child = beginCommand(folder, { ...SETTINGS, ALMONER_PORT: String(port), ALMONER_HOST: '127.0.0.1' }, [
    'serve',
  ])
  const ended = once(child, 'exit')
  try {
    await firstAnswer(port, path)
    const milliseconds = performance.now() - begun
    await pause(settled)
    return { milliseconds, idle: memoryOf(child.pid ?? 0, 'VmRSS') }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** Starts the service on a database that is there already, and again. */
export const measureStart = async ({ ground, effort, ...rig }: Rig): Promise<Started> => {
  const folder = await rig.folder()
  const path = withToken(READS.list.path, ground.grants.reader)
  const all: Array<Started> = []
  for (let n = 0; n < effort.starts; n += 1) {
    if (effort.patient) await quiet()
    all.push(await startOnce(folder, path, effort.settle))
  }
  return {
    milliseconds: median(all.map(({ milliseconds }) => milliseconds)),
    idle: median(all.map(({ idle }) => idle)),
  }
}
