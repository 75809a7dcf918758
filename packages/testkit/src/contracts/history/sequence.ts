import type { Act } from '@almoner/domain/access'
import { libraryFields, nextRevision } from '@almoner/domain/content'
import type { Fields, Revision } from '@almoner/domain/history'
import { instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ContractRunner } from '../runner.ts'
import { done, sampleId, sampleLibraryItem } from '../samples.ts'
import { seeded } from '../seeded.ts'
import { add, givenHistory, type HistoryUnderTest, library, records, revisions, titled } from './fixture.ts'

/** Returns the state that changes, oldest first, lead to. */
const replayed = (revisions: ReadonlyArray<Revision>): Fields =>
  Object.fromEntries(
    revisions.flatMap(({ changes }) => changes.map(({ field, after }) => [field, after ?? ''])),
  )

/** A write that changed a field. */
interface Written {
  readonly revision: number
  readonly state: Fields
  readonly actor: string
}

/** Adds and changes four items; some changes are rejected, and some change no field. Returns the writes that left a record. */
const writeAtRandom = async (store: HistoryUnderTest, seed: number) => {
  const below = seeded(seed)
  const written = new Map<number, Array<Written>>()
  const changeOne = async (n: number, act: Act): Promise<Written | undefined> => {
    const title = `Title ${below(3)}`
    const isRejected = below(5) === 0
    const before = await done(store.libraryItems.find(sampleId(n)))
    const changed = await store.libraryItems.change(sampleId(n), (current) => {
      const item = nextRevision(titled(title)(current), instant(current.updatedAt + 1))
      const write = { item, storesImages: [], displaysImages: [], linksToImages: [], act }
      return isRejected ? E.left({ _tag: 'Stop' as const }) : E.right(write)
    })()
    if (E.isLeft(changed) || (O.isSome(before) && before.value.title === title)) return undefined
    const { item } = changed.right
    return { revision: item.revision, state: libraryFields(item), actor: act.actor.id }
  }
  for (let step = 0; step < 60; step += 1) {
    const n = below(4)
    const act: Act = { actor: { kind: 'client', id: `app-${below(3)}` }, action: 'update' }
    const earlier = written.get(n)
    if (earlier === undefined) {
      await add(store, n, act)
      written.set(n, [{ revision: 1, state: libraryFields(sampleLibraryItem(n)), actor: act.actor.id }])
    } else {
      const one = await changeOne(n, act)
      if (one !== undefined) earlier.push(one)
    }
  }
  return written
}

/** Whether a history is the sequence of the writes: for random writes, revisions and states are those of a model. */
export const historySequenceContract = (
  runner: ContractRunner,
  make: () => Promise<HistoryUnderTest>,
): void => {
  const given = givenHistory(runner, make)
  for (const seed of [1, 2, 3])
    given(`K1, K2: the history is the sequence of the writes (seed ${seed})`, async (check, store) => {
      const written = await writeAtRandom(store, seed)
      for (const [n, expected] of written) {
        const found = [...(await revisions(store, n))].reverse()
        check.same(
          found.map(({ number, actor }) => [number.value, actor.id]),
          expected.map(({ revision, actor }) => [revision, actor]),
        )
        for (const [at, { revision, state }] of expected.entries()) {
          check.same(replayed(found.slice(0, at + 1)), state)
          check.same(await done(store.history.stateAt(library(n), revision)), O.some(state))
        }
      }
      const total = [...written.values()].reduce((sum, { length }) => sum + length, 0)
      check.same((await records(store)).length, total)
    })
}
