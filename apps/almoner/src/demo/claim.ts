import { open, readFile, rm } from 'node:fs/promises'
import { type Unavailable, unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Of a process of somebody else's only its being there is told.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const create = async (file: string): Promise<boolean> => {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(String(process.pid))
    await handle.close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Takes the claim, from a process that has died with it if need be. */
const take = async (file: string): Promise<void> => {
  if (await create(file)) return
  const owner = Number(await readFile(file, 'utf8'))
  if (owner > 0 && owner !== process.pid && isAlive(owner))
    throw new Error('another process is loading the demonstration content')
  await rm(file, { force: true })
  if (!(await create(file))) throw new Error('another process is loading the demonstration content')
}

const claimFile = async (file: string): Promise<E.Either<Unavailable, void>> => {
  try {
    return E.right(await take(file))
  } catch (cause) {
    return E.left(unavailable(cause))
  }
}

/** Does work that only one process may do at a time. Unavailable while another one does it. */
export const alone = <A>(file: string, work: TE.TaskEither<Unavailable, A>): TE.TaskEither<Unavailable, A> =>
  TE.bracket(
    () => claimFile(file),
    () => work,
    () => async () => E.right(await rm(file, { force: true })),
  )
