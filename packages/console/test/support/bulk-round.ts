import type { Locator, Page } from '@almoner/browser'
import { seeded } from '@almoner/testkit/contracts'
import type { OpenedConsole } from './console-server.ts'
import { addPublication, PUBLICATION } from './scenario.ts'

type Status = 'Draft' | 'Live' | 'Archived'

/** The acts of a round, and the words that the page has for them. */
const ACTS = [
  { status: 'Live', button: 'Publish', result: 'published' },
  { status: 'Archived', button: 'Archive', result: 'archived' },
  { status: 'Draft', button: 'Back to draft', result: 'moved back to draft' },
] as const

interface Revision {
  readonly number: number
  readonly actor: { readonly kind: string }
  readonly changes: ReadonlyArray<{ readonly field: string; readonly after: string }>
}

/** A publication of a round: its status and latest revision when the person selected it. */
interface Subject {
  readonly id: string
  readonly title: string
  readonly status: Status
  readonly seen: number
}

/** What a report says of each entry, by its title. */
type Said = ReadonlyMap<string, 'done' | 'same' | 'not'>

/** What happened in a round. */
export interface RoundOutcome {
  readonly done: number
  readonly refused: number
  readonly restored: number
  /** What the report and the history of the items disagree about; none if all is well. */
  readonly findings: ReadonlyArray<string>
}

const revisionsOf = async ({ fixture }: OpenedConsole, id: string): Promise<ReadonlyArray<Revision>> => {
  const answer = await fixture.call('GET', `/library/${id}/history`, { as: 'manager' })
  const { history } = (await answer.json()) as { history: ReadonlyArray<{ revision: Revision }> }
  return history.map(({ revision }) => revision)
}

const update = async ({ fixture }: OpenedConsole, id: string, itemTitle: string, status: Status) => {
  fixture.clock.advance(1000)
  await fixture.call('POST', `/library/${id}`, { as: 'manager', json: { ...PUBLICATION, itemTitle, status } })
}

/** Adds publications with random statuses; some of them lack their images. */
const addSubjects = async (opened: OpenedConsole, roll: (limit: number) => number, seed: number) => {
  const subjects: Array<Subject> = []
  for (let n = 0, count = 3 + roll(4); n < count; n += 1) {
    const title = `Round${seed} entry ${n}`
    const hasImages = roll(4) > 0
    const id = await addPublication(opened.fixture, { itemTitle: title }, hasImages ? 'Live' : 'Draft')
    const status = (hasImages ? ['Live', 'Draft', 'Archived'] : ['Draft', 'Archived'])[
      roll(hasImages ? 3 : 2)
    ] as Status
    await update(opened, id, title, status)
    const [latest] = await revisionsOf(opened, id)
    subjects.push({ id, title, status, seen: latest?.number ?? 0 })
  }
  return subjects
}

const textsOf = (lines: Locator): Promise<ReadonlyArray<string>> => lines.allTextContents()

/** Waits for the end of an act, lets the page go on until nothing is open, and reads its report. */
const readReport = async (page: Page, result: string): Promise<Said> => {
  const report = page.getByRole('region', { name: new RegExp(`^\\d+(?: of \\d+)? ${result}`) })
  const further = report.getByRole('button', { name: /^(?:Go on with the rest|Ask again)$/ })
  for (let left = 5; left > 0; left -= 1) {
    await report.waitFor()
    if ((await further.count()) === 0) break
    await further.click()
  }
  const said = new Map<string, 'done' | 'same' | 'not'>()
  const groups = await report.getByRole('group').all()
  for (const group of groups) await group.locator('summary').click()
  const say = (texts: ReadonlyArray<string>, word: 'done' | 'same' | 'not') => {
    for (const text of texts) said.set(/^Round\d+ entry \d+/.exec(text)?.[0] ?? text, word)
  }
  say(await textsOf(report.getByRole('listitem')), 'not')
  for (const group of groups) {
    const summary = (await group.locator('summary').textContent()) ?? ''
    say(await textsOf(group.getByRole('listitem')), summary.includes('already') ? 'same' : 'done')
  }
  return said
}

/** Drops the answers to some updates after the server has done them. Returns a function that ends it. */
const loseAnswers = async (page: Page, roll: (limit: number) => number): Promise<() => Promise<void>> => {
  const pattern = /\/console\/api\/library\/[0-9a-f-]{36}$/
  await page.route(pattern, async (route) => {
    if (route.request().method() !== 'POST' || roll(3) > 0) return route.continue()
    await route.fetch().catch(() => {})
    await route.abort('connectionreset').catch(() => {})
  })
  return () => page.unroute(pattern)
}

/** What a round works on, and what it has found. */
interface Round {
  readonly opened: OpenedConsole
  readonly page: Page
  readonly roll: (limit: number) => number
  readonly find: (finding: string) => void
}

/** Acts on all subjects while another person changes some of them. Returns what the report says. */
const act = async ({ opened, page, roll }: Round, subjects: ReadonlyArray<Subject>): Promise<Said> => {
  const { button, result } = ACTS[roll(ACTS.length)] ?? ACTS[0]
  const changed = subjects.filter(() => roll(4) === 0)
  const changeElsewhere = async () => {
    for (const { id, title, status } of changed) await update(opened, id, `${title} changed`, status)
  }
  const isEarly = roll(2) === 0
  if (isEarly) await changeElsewhere()
  const restoreAnswers = roll(3) === 0 ? await loseAnswers(page, roll) : async () => {}
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
  if (!isEarly) await changeElsewhere()
  if (roll(4) === 0) await page.reload()
  const said = await readReport(page, result)
  await restoreAnswers()
  return said
}

const isMine = ({ actor }: Revision): boolean => actor.kind === 'person'

/** An entry was written once if it is reported as done, in the version that was selected, and not at all otherwise. */
const checkAct = async ({ opened, find }: Round, { id, title, seen }: Subject, said: Said): Promise<void> => {
  const revisions = await revisionsOf(opened, id)
  const mine = revisions.filter(isMine)
  const word = said.get(title) ?? 'nothing'
  if (mine.length !== (word === 'done' ? 1 : 0)) find(`${title}: said ${word}, ${mine.length} writes`)
  const unseen = revisions.filter((revision) => !isMine(revision) && revision.number > seen)
  if (mine.some(({ number }) => unseen.some((other) => other.number < number)))
    find(`${title}: replaced what was not seen`)
  if (mine.some(({ changes }) => changes.some(({ field }) => field !== 'status')))
    find(`${title}: changed more than the status`)
}

/** Undo restores an entry, unless another person has changed it after the act: then it is refused, and stays as that person left it. */
const checkUndo = async ({ opened, find }: Round, { id, title, status }: Subject, said: Said) => {
  const [latest, ...earlier] = await revisionsOf(opened, id)
  const written = [...earlier].reverse().find(isMine)
  const later = earlier.find((revision) => !isMine(revision) && revision.number > (written?.number ?? 0))
  const answer = await opened.fixture.call('GET', `/library/${id}`, { as: 'manager' })
  const { items } = (await answer.json()) as { items: [{ item: { status: Status } }] }
  const word = said.get(title) ?? 'nothing'
  if (latest !== undefined && !isMine(latest)) {
    if (word !== 'not') find(`${title}: said ${word} after a later change`)
    return
  }
  if (later !== undefined) find(`${title}: a later change was overwritten`)
  if (word !== 'done' || items[0].item.status !== status) find(`${title}: said ${word}, not restored`)
}

/**
 * A person selects publications and acts on them, while another changes some, answers are lost, and the page may be reloaded. The report
 * must say what the history says, and undo must restore all but the entries changed since.
 */
export const bulkRound = async (opened: OpenedConsole, page: Page, seed: number): Promise<RoundOutcome> => {
  const findings: Array<string> = []
  const roll = seeded(seed)
  const round: Round = { opened, page, roll, find: (text) => void findings.push(`${seed}: ${text}`) }
  const subjects = await addSubjects(opened, roll, seed)
  await page.goto(`/console/library?q=Round${seed}`)
  await page.getByRole('checkbox', { name: `Select all ${subjects.length} listed` }).check()
  const said = await act(round, subjects)
  for (const subject of subjects) await checkAct(round, subject, said)
  const done = subjects.filter(({ title }) => said.get(title) === 'done')
  const counts = { done: done.length, refused: [...said.values()].filter((word) => word === 'not').length }
  if (done.length === 0) return { ...counts, restored: 0, findings }
  for (const { id, title } of done) if (roll(4) === 0) await update(opened, id, `${title} later`, 'Draft')
  await page.getByRole('button', { name: `Undo (${done.length})` }).click()
  const undone = await readReport(page, 'restored')
  for (const subject of done) await checkUndo(round, subject, undone)
  return { ...counts, restored: [...undone.values()].filter((word) => word === 'done').length, findings }
}
