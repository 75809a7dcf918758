import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { type Body, encryptAll, type Job } from './encryption.ts'

/** Encrypts messages in the background. */
interface Encryptor {
  /** Rejects when the thread that was at it has died. */
  encrypt(job: Job): Promise<Body>
  /** Ends the threads; what they are at is rejected. */
  close(): Promise<void>
}

/** Other work wants cores too, and beyond that the thread that sends is what takes longest. */
const MOST_THREADS = 4
/** A thread has the next batch at hand when it is done with one. */
const AT_A_TIME = 2
/** One to five milliseconds of work. */
const BATCH = { least: 16, most: 32 }

/** As many threads as there are cores. On one core they would but take turns with the one that sends: none. */
export const threadsHere = (cores = availableParallelism()): number =>
  cores === 1 ? 0 : Math.min(cores, MOST_THREADS)

/** The file of a thread is this one's neighbour, as source or built. */
const FILE = new URL(`./encryption.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url).href

interface Waiting {
  readonly job: Job
  readonly resolve: (body: Body) => void
  readonly reject: (fault: unknown) => void
}

type EncryptBatch = (jobs: ReadonlyArray<Job>) => Promise<ReadonlyArray<Body>>

/**
 * Sends the collected messages to an idle thread, or to a busy one if there are enough for its next batch. Each task costs a part of a message,
 * and small batches would stay small, because new messages arrive at the rate of finished ones.
 */
const makeBatches = (threads: number, encryptBatch: EncryptBatch): ((job: Job) => Promise<Body>) => {
  const queue: Array<Waiting> = []
  let batches = 0
  let isFilling = false

  const deliver = async (batch: ReadonlyArray<Waiting>): Promise<void> => {
    try {
      const bodies = await encryptBatch(batch.map(({ job }) => job))
      for (const [at, { resolve }] of batch.entries()) resolve(bodies[at])
    } catch (fault) {
      for (const { reject } of batch) reject(fault)
    }
    batches -= 1
    fillSoon()
  }

  const mayHandOver = (): boolean =>
    batches < threads ? queue.length > 0 : batches < threads * AT_A_TIME && queue.length >= BATCH.least

  const fill = (): void => {
    isFilling = false
    while (mayHandOver()) {
      const share = Math.ceil(queue.length / (threads * AT_A_TIME - batches))
      batches += 1
      void deliver(queue.splice(0, Math.min(Math.max(share, BATCH.least), BATCH.most)))
    }
  }

  /** When all that goes on now has asked for what it needs. */
  const fillSoon = (): void => {
    if (!isFilling) setImmediate(fill)
    isFilling = true
  }

  return (job) =>
    new Promise((resolve, reject) => {
      queue.push({ job, resolve, reject })
      fillSoon()
    })
}

/** @param onFault called when a thread fails without a waiting caller, probably at its start */
const openPool = (threads: number, onFault: (pool: Piscina) => void): Piscina => {
  const pool = new Piscina({
    filename: FILE,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: AT_A_TIME,
    recordTiming: false,
  })
  pool.on('error', () => onFault(pool))
  return pool
}

/**
 * Encrypts in this number of threads, which start with the first message; with 0, in the calling thread. A dead thread is replaced, and its
 * current messages are rejected.
 */
export const makeEncryptor = (threads = threadsHere()): Encryptor => {
  let pool: Piscina | undefined
  const drop = (faulty: Piscina): void => {
    if (pool === faulty) pool = undefined
    void faulty.destroy()
  }
  let isClosed = false
  const inThreads = makeBatches(threads, async (jobs) => {
    if (isClosed) throw new Error('The threads have ended.')
    pool ??= openPool(threads, drop)
    return pool.run(jobs)
  })
  return {
    encrypt: threads === 0 ? async (job) => encryptAll([job])[0] : inThreads,
    close: async () => {
      isClosed = true
      await pool?.destroy()
    },
  }
}
