import type { Page } from '@almoner/browser'
import { seeded } from '@almoner/testkit/contracts'
import type { OpenedConsole } from './console-server.ts'
import { addPublication } from './scenario.ts'

const FIELDS = { itemTitle: 'Title', itemDescription: 'Text', link: 'Link' } as const
type Field = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as ReadonlyArray<Field>

/** Acts of each interleaving, before both save the rest. */
const ACTS = 10

/** A person with the item open, and what that person has done since the last save. */
interface Person {
  readonly page: Page
  /** Typed texts by field. */
  readonly typed: Map<Field, string>
  /** The saved text that the person saw before typing over it. */
  readonly seen: Map<Field, string>
}

/** What happened in an interleaving. */
export interface Outcome {
  readonly saves: number
  readonly clashes: number
  /** Lost fields and conflicts that were not shown; none if all is well. */
  readonly findings: ReadonlyArray<string>
}

interface Revision {
  readonly number: number
  readonly changes: ReadonlyArray<{ readonly field: string; readonly before: string; readonly after: string }>
}

/** What an interleaving works on, and what it has found. */
interface Course {
  readonly roll: (limit: number) => number
  readonly counts: { saves: number; clashes: number }
  readonly find: (finding: string) => void
  /** Returns the revisions since the last look. */
  readonly newRevisions: () => Promise<ReadonlyArray<Revision>>
}

const boxOf = (page: Page, field: Field) => page.getByRole('textbox', { name: FIELDS[field], exact: true })

const historyOf = ({ fixture }: OpenedConsole, id: string): Course['newRevisions'] => {
  let known = 1
  return async () => {
    const answer = await fixture.call('GET', `/library/${id}/history`, { as: 'manager' })
    const { history } = (await answer.json()) as { history: ReadonlyArray<{ revision: Revision }> }
    const found = history.map(({ revision }) => revision).filter(({ number }) => number > known)
    known = Math.max(known, ...found.map(({ number }) => number))
    return found
  }
}

const type = async ({ page, typed, seen }: Person, field: Field, text: string): Promise<void> => {
  const box = boxOf(page, field)
  if (!typed.has(field)) seen.set(field, await box.inputValue())
  await box.fill(text)
  typed.set(field, text)
}

/** Settles each clash that is shown, at random. */
const settle = async ({ page, typed, seen }: Person, { roll, counts, find }: Course): Promise<void> => {
  const notice = page.getByRole('alert').filter({ hasText: 'Someone else changed this' })
  while ((await notice.count()) > 0) {
    counts.clashes += 1
    const label = await notice.getByRole('heading', { level: 3 }).first().textContent()
    const [, theirs = '', mine] = await notice.getByRole('definition').allTextContents()
    const field = NAMES.find((name) => FIELDS[name] === label)
    if (field === undefined) return find(`a clash of an unknown field ${label}`)
    if (mine !== typed.get(field)) find(`a clash of ${field} without the typed text`)
    const keepsMine = roll(2) === 0
    if (!keepsMine) typed.delete(field)
    seen.set(field, theirs)
    await notice
      .getByRole('button', { name: keepsMine ? 'Keep yours' : 'Use theirs' })
      .first()
      .click()
  }
}

const checkRevision = ({ typed, seen }: Person, { changes }: Revision, find: Course['find']): void => {
  for (const { field, before, after } of changes) {
    const name = field as Field
    if (typed.get(name) !== after) find(`${field} became ${after}, which was not typed`)
    if (seen.get(name) !== before) find(`${field} lost ${before}, which was not shown`)
  }
}

const save = async (person: Person, course: Course): Promise<void> => {
  const { page, typed } = person
  await settle(person, course)
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await answered
  await page.getByText('Saving…').waitFor({ state: 'detached' })
  course.counts.saves += 1
  const revisions = await course.newRevisions()
  for (const revision of revisions) checkRevision(person, revision, course.find)
  if (revisions.length > 0) typed.clear()
}

/** A random person types into a random field, or saves. */
const actOnce = async (people: ReadonlyArray<Person>, course: Course, text: string): Promise<void> => {
  const person = people[course.roll(2)]
  const field = NAMES[course.roll(NAMES.length)]
  if (person === undefined || field === undefined) return
  if (course.roll(5) < 3) await type(person, field, text)
  else await save(person, course)
}

/**
 * Two people edit one item and save in a random order. Each text that a save replaces must have been seen by the one who replaced it, in
 * the field or in the notice about a clash, and a save changes no field that its person has not typed.
 */
export const interleave = async (
  opened: OpenedConsole,
  pages: readonly [Page, Page],
  seed: number,
): Promise<Outcome> => {
  const findings: Array<string> = []
  const id = await addPublication(opened.fixture)
  const course: Course = {
    roll: seeded(seed),
    counts: { saves: 0, clashes: 0 },
    find: (finding) => findings.push(`${seed}: ${finding}`),
    newRevisions: historyOf(opened, id),
  }
  const people = pages.map((page): Person => ({ page, typed: new Map(), seen: new Map() }))
  for (const { page } of people) {
    await page.goto(`/console/library/${id}`)
    await boxOf(page, 'itemTitle').waitFor()
  }
  for (let act = 0; act < ACTS; act += 1) await actOnce(people, course, `https://example.org/${seed}-${act}`)
  for (const person of people)
    for (let left = 3; person.typed.size > 0 && left > 0; left -= 1) await save(person, course)
  for (const { typed } of people) if (typed.size > 0) course.find('text could not be saved')
  return { ...course.counts, findings }
}
