import assert from 'node:assert/strict'
import { done } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { LIBRARY, libraryLive, libraryUpdate, manager, newFixture } from './fixtures/fixture.ts'

// C16: two managers who do anything in any order, each by what they have last seen.

const ACTS = [
  'look',
  'share',
  'change',
  'schedule',
  'publish',
  'discard',
  'undo',
  'edit',
  'hide',
  'wait',
] as const

const commands = fc.array(
  fc.record({
    who: fc.constantFrom<0 | 1>(0, 1),
    act: fc.constantFrom(...ACTS),
    seconds: fc.constantFrom(0, 5, 60, 3601),
  }),
  { minLength: 10, maxLength: 30 },
)

type Command = typeof commands extends fc.Arbitrary<ReadonlyArray<infer C>> ? C : never

const start = async () => {
  const fixture = newFixture()
  const { ports, clock } = fixture
  const { proposals, maintenance, promises: _, ...almoner } = domain.createAlmoner(ports)
  const live = await libraryLive(fixture)
  const name = { contentType: 'library' as const, itemId: live.id }
  const callers = [0, 1].map((n) => ({ ...manager, actor: { kind: 'person', id: String(n) } as const }))
  /** What each manager has last seen of the proposal. */
  const seen: Array<domain.ProposalId> = ['none', 'none'] as never
  let titles = 0
  const title = () => {
    titles += 1
    return `Title ${titles}`
  }
  const item = async () => O.toUndefined(await done(ports.libraryItems.find(live.id))) as domain.LibraryItem
  const open = async () => O.toUndefined(await done(ports.proposals.find('library', live.id)))
  const look = async (): Promise<Sight> => ({ item: await item(), open: await open() })
  const fieldsOf = (itemTitle: string) => JSON.stringify({ ...LIBRARY, itemTitle })
  const momentIn = (seconds: number) => String(Math.floor(clock.now() / 1000) + seconds)
  const update = (over: domain.RawParameters) =>
    almoner.library.update(manager, libraryUpdate(live.id, over), O.none)
  const run = async ({ who, act, seconds }: Command): Promise<E.Either<unknown, unknown>> => {
    const caller = callers[who] ?? manager
    const one = { ...name, proposalId: seen[who] ?? ('none' as domain.ProposalId) }
    const remember = (found: E.Either<unknown, domain.Proposal>) => {
      if (E.isRight(found)) seen[who] = found.right.id
      return found
    }
    switch (act) {
      case 'look':
        return remember(E.fromNullable('none')(await open()))
      case 'share': {
        const sent = { ...name, fields: fieldsOf(title()) }
        return remember(await proposals.propose(caller, read(domain.ProposeChange, sent), O.none)())
      }
      case 'change': {
        const sent = read(domain.ChangeProposal, { ...one, fields: fieldsOf(title()) })
        return remember(await proposals.change(caller, sent, O.none)())
      }
      case 'schedule': {
        const sent = read(domain.ChangeProposal, { ...one, publishAt: momentIn(seconds) })
        return remember(await proposals.change(caller, sent, O.none)())
      }
      case 'publish':
        return proposals.publish(caller, one, O.none)()
      case 'discard':
        return proposals.discard(caller, one)()
      case 'undo':
        return proposals.undo(caller, one)()
      case 'edit':
        return update({ status: (await item()).status, itemTitle: title() })()
      case 'hide': {
        const { status } = await item()
        const next = { Live: 'Archived', Archived: 'Draft', Draft: 'Live' } as const
        return update({ status: next[status], itemTitle: (await item()).title })()
      }
      case 'wait':
        clock.advance(seconds * 1000)
        return maintenance.runProposals()()
    }
  }
  return { run, look, seen, listed: () => done(ports.proposals.all(9)), now: () => clock.now() }
}

interface Sight {
  readonly item: domain.LibraryItem
  readonly open: domain.Proposal | undefined
}

interface Step extends Command {
  readonly before: Sight
  readonly after: Sight
  /** The version that the manager had seen before. */
  readonly known: domain.ProposalId | undefined
  readonly now: domain.Instant
}

/** Checks the one revision by which an item became as a proposal has it. */
const checkCarriedOut = ({ act, before, after, known, now }: Step): void => {
  const { open, item } = before
  assert.ok(open !== undefined && (act === 'publish' || act === 'wait'), act)
  assert.equal(open.baseRevision, item.revision, 'only from its base')
  assert.deepEqual([item.status, after.item.status], ['Live', 'Live'])
  assert.deepEqual([after.item.revision, after.item.title], [item.revision + 1, open.state['itemTitle']])
  assert.equal(after.open, undefined, 'once')
  if (act === 'publish') assert.equal(open.id, known, 'which its manager has seen')
  else assert.ok(O.isSome(open.publishAt) && open.publishAt.value <= now, 'at its moment')
}

/** Checks that a version goes only if its manager has seen it. */
const checkVersions = ({ act, known, before: { open: before }, after: { open: after } }: Step): void => {
  if (before === undefined || before.id === after?.id) return
  assert.equal(before.id, known, 'no version goes that was not seen')
  assert.equal(after === undefined, act === 'discard', 'no text is lost unasked')
  if (after === undefined) return
  assert.ok(act === 'change' || act === 'schedule', act)
  assert.deepEqual([after.by, after.at], [before.by, before.at])
  if (act === 'schedule') assert.deepEqual(after.state, before.state)
}

/** Checks that no moment passes without an answer. */
const checkMoment = ({ act, after: { open }, now }: Step): void => {
  const moment = open === undefined ? O.none : open.publishAt
  assert.ok(act !== 'wait' || O.isNone(moment) || moment.value > now)
}

const checkStep = (step: Step, isDone: boolean): void => {
  const { act, before, after } = step
  if (!isDone) assert.deepEqual(after, before, 'a refusal changes nothing')
  if (act === 'edit' || act === 'hide') assert.deepEqual(after.open, before.open)
  else if (before.item.revision === after.item.revision) checkVersions(step)
  else checkCarriedOut(step)
  checkMoment(step)
}

t.test('C16: no manager publishes, replaces or discards a version unseen, in any order', async (t) => {
  const successes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(commands, async (all) => {
      const { run, look, seen, listed, now } = await start()
      for (const command of all) {
        const [before, known] = [await look(), seen[command.who]]
        const isDone = E.isRight(await run(command))
        checkStep({ ...command, before, after: await look(), known, now: now() }, isDone)
        assert.ok((await listed()).length <= 1, 'one proposal at most')
        if (isDone) successes.add(command.act)
      }
    }),
    { numRuns: 60 },
  )
  t.strictSame([...successes].sort(), [...ACTS].sort(), 'each act succeeded once at least')
})
