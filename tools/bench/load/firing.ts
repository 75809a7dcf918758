import { quiet, rested, UNDISTURBED } from './machine.ts'
import type { Rig } from './rig.ts'
import { writeSteadily } from './steady-writes.ts'
import type { Fired } from './volley.ts'
import { CONNECTIONS, type Side, type Workload } from './workload.ts'

/** How often a disturbed volley is fired again. */
const TRIES = 20

const NONE = { stop: async () => 0 }

/** Asks one side as fast as it answers, for so many seconds. Throws when an answer is not the one expected. */
export const fireOnce = async (rig: Rig, workload: Workload, side: Side, seconds: number): Promise<Fired> => {
  const { asks, server, writes = 0 } = side
  const { connections = CONNECTIONS, status = 200 } = workload
  if (rig.effort.requests === undefined) await rested(server.pids)
  const writing = writes === 0 ? NONE : await writeSteadily(rig, server, writes)
  const fired = await rig.generator.fire({
    url: server.url,
    asks,
    connections,
    seconds,
    requests: rig.effort.requests,
    server: server.pids,
    known: [process.pid],
    status,
  })
  await writing.stop()
  if (fired.refused > 0)
    throw new Error(`${workload.name}: ${fired.refused} requests were not answered ${status}`)
  return fired
}

/** The same, again until nobody else has used the machine meanwhile. */
export const fireUndisturbed = async (
  rig: Rig,
  workload: Workload,
  side: Side,
  seconds: number,
): Promise<Fired> => {
  if (!rig.effort.patient) return fireOnce(rig, workload, side, seconds)
  for (let n = 0; n < TRIES; n += 1) {
    const fired = await fireOnce(rig, workload, side, seconds)
    if (fired.others <= UNDISTURBED) return fired
    await quiet()
  }
  throw new Error(`${workload.name}: was disturbed each time`)
}
