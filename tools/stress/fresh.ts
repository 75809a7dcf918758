// Changes items and clients on one node, and asks another node on the same PostgreSQL about them all the time. Looks how long that node
// gives the old answer after the change was acknowledged. In some trials its connections to the database are cut or stalled just before the
// change. Usage: node tools/stress/fresh.ts [--trials 420]
import { setTimeout as pause } from 'node:timers/promises'
import { check, options, progress, report } from './campaign.ts'
import { askToken, KINDS, rotateTrial, type Trial } from './fresh-trials.ts'
import { proxy } from './two-nodes.ts'

const { trials } = options({ trials: 420 })
/** Milliseconds before the change at which connections are cut, at most, and for which they are stalled. */
const CUT_BEFORE = 300
const STALLED = 3000
/** Old answers to each question before the change, and the time before and after it in milliseconds. */
const WARM = 5
const AROUND = 300
/** New answers in a row that show that a node knows of the change: fewer than would count as guessing. */
const ENOUGH = 3
/** Milliseconds after which a trial is given up. */
const GIVEN_UP = 15_000

const DISTURBANCES = {
  none: async () => {},
  cut: () => {
    proxy.cut()
    return pause(Math.random() * CUT_BEFORE)
  },
  stall: async () => {
    proxy.stall()
    void pause(STALLED).then(proxy.flow)
  },
}
/** Of ten trials of each kind one is stalled and two are cut. */
const ORDER = ['none', 'none', 'none', 'cut', 'none', 'none', 'none', 'none', 'cut', 'stall'] as const

const until = async (condition: () => boolean): Promise<boolean> => {
  for (const end = performance.now() + GIVEN_UP; !condition(); await pause(2))
    if (performance.now() > end) return false
  return true
}

/** Asks until the answers are warm, makes the change, and asks until the other node knows of it. Returns when the last old answer was asked for. */
const run = async ({ questions, change }: Trial, disturb: () => Promise<void>) => {
  let [isOver, acknowledged, worst] = [false, Number.POSITIVE_INFINITY, 0]
  const seen = questions.map((question) => ({ question, old: 0, row: 0 }))
  const asking = seen.map(async (counts) => {
    for (; !isOver; await pause(Math.random() * 4)) {
      const at = performance.now()
      const verdict = await counts.question()
      if (verdict === 'new') counts.row += 1
      if (verdict !== 'old') continue
      counts.old += 1
      counts.row = 0
      worst = Math.max(worst, at - acknowledged)
    }
  })
  const isWarm = await until(() => seen.every(({ old }) => old >= WARM))
  await pause(Math.random() * AROUND)
  await disturb()
  await change()
  acknowledged = performance.now()
  const isKnown = await until(
    () => performance.now() - acknowledged > AROUND && seen.every(({ row }) => row >= ENOUGH),
  )
  isOver = true
  await Promise.all(asking)
  return { worst: Math.round(worst), isOver: isWarm && isKnown }
}

const figures: Record<string, { trials: number; late: number; worst: number }> = {}
for (let n = 0; n < trials; n += 1) {
  const [name, bound, make] = KINDS[n % KINDS.length] ?? ['', 0, rotateTrial]
  const disturbance = ORDER[Math.floor(n / KINDS.length) % ORDER.length] ?? 'none'
  const kind = `${name}, ${disturbance}`
  const trial = await make()
  const { worst, isOver } = await run(trial, DISTURBANCES[disturbance])
  check(worst <= bound, `${kind}: the old answer after ${worst} ms`)
  check(isOver, `${kind}: the new answer did not come`)
  const [client, expected] = trial.afterwards?.() ?? []
  const status = client && (await askToken(client, 1)).status
  check(status === expected, `${kind}: a request for a token is answered with ${status}`)
  const before = figures[kind] ?? { trials: 0, late: 0, worst: 0 }
  const late = before.late + (worst > 0 ? 1 : 0)
  figures[kind] = { trials: before.trials + 1, late, worst: Math.max(before.worst, worst) }
  progress(`trial ${n + 1} of ${trials}`)
}
report({ trials, figures })
