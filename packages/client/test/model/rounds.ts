import { type Random, randomOf } from './random.ts'
import { makeReader, type Reader } from './readers.ts'
import { makeWriter, type Nodes, newWorld, type World } from './writers.ts'

/** Options of a run. */
export interface Run {
  readonly nodes: Nodes
  readonly seed: number
  readonly rounds: number
  /** Milliseconds within which a copy must equal the collections once nothing changes. */
  readonly patience: number
  /** Runs beside the writers of each round. */
  readonly meanwhile?: (random: Random) => Promise<void>
  readonly onRound?: (round: number, world: World) => void
}

const READERS = 6
/** Acts of each writer in a round. */
const ACTS = 3
/** Updates of a reader in a round while writers write, at most. */
const UPDATES = 3

/** Keeps a copy in step while writers write: by a run with waits, by some updates, or not at all. */
const keep = async ({ copy }: Reader, signal: AbortSignal, random: Random): Promise<void> => {
  const way = random.below(UPDATES + 2)
  if (way > UPDATES) return copy.run({ signal })
  for (let n = 0; n < way && !signal.aborted; n += 1) await copy.update()
}

/** Updates a copy until it equals the collections, which other nodes may show a moment late. */
const settle = async (reader: Reader, patience: number): Promise<string | undefined> => {
  const end = performance.now() + patience
  for (;;) {
    await reader.copy.update()
    const difference = await reader.difference()
    if (difference === undefined || performance.now() > end) return difference
  }
}

/**
 * Lets writers at all nodes change the service while readers keep copies, and compares these with the collections after each round (N2).
 * Some readers are replaced after each round. Returns the findings, at most one round's.
 */
export const runRounds = async ({
  nodes,
  seed,
  rounds,
  patience,
  meanwhile,
  onRound,
}: Run): Promise<World> => {
  const random = randomOf(seed)
  const world = newWorld()
  const writers = nodes.urls.map((url) => makeWriter(nodes, url, world, random.fork()))
  const readers: Array<Reader> = []
  for (let round = 1; round <= rounds && world.findings.length === 0; round += 1) {
    while (readers.length < READERS) readers.push(makeReader(nodes, world, random.fork()))
    const controller = new AbortController()
    const reading = readers.map((reader) => keep(reader, controller.signal, random.fork()))
    const writing = writers.map(async ({ act }) => {
      for (let n = 0; n < ACTS; n += 1) await act()
    })
    await Promise.all([...writing, meanwhile?.(random.fork())])
    controller.abort()
    await Promise.all(reading)
    await Promise.all(
      readers.map(async (reader) => {
        const difference = await settle(reader, patience)
        if (difference !== undefined)
          world.findings.push(`seed ${seed}, round ${round}: ${reader.name}: ${difference}`)
      }),
    )
    readers.splice(random.below(READERS), random.below(3))
    onRound?.(round, world)
  }
  return world
}
