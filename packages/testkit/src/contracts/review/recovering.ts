import { DELIVERED, type PushResult, senderError, UNANSWERED } from '@almoner/domain/notifications'
import { type Instant, MINUTE, SECOND } from '@almoner/domain/values'
import { seeded } from '../runner.ts'
import { type ReviewFixture, type ReviewTest, report } from './fixture.ts'

/** An origin that fails in one way, for each of these numbers of seconds, while a notification goes to so many devices. */
interface Failing {
  readonly name: string
  readonly answer: PushResult
  /** Whether it has accepted a push of late. */
  readonly isKnown: boolean
  readonly devices: number
  readonly seconds: ReadonlyArray<number>
}

const REFUSES = senderError('a wrong key')
const MOMENT = [1, 2, 4, 6, 8, 10]
const LONGER = [...MOMENT, 14, 30]

const FAILING: ReadonlyArray<Failing> = [
  { name: 'refuses a few devices', answer: REFUSES, isKnown: true, devices: 12, seconds: MOMENT },
  { name: 'refuses many devices', answer: REFUSES, isKnown: true, devices: 30, seconds: LONGER },
  { name: 'refuses the first devices', answer: REFUSES, isKnown: false, devices: 12, seconds: LONGER },
  { name: 'refuses the only device', answer: REFUSES, isKnown: false, devices: 1, seconds: LONGER },
  { name: 'is silent to the only device', answer: UNANSWERED, isKnown: true, devices: 1, seconds: LONGER },
  { name: 'is silent to a few devices', answer: UNANSWERED, isKnown: false, devices: 3, seconds: LONGER },
  { name: 'is silent to many devices', answer: UNANSWERED, isKnown: true, devices: 12, seconds: LONGER },
]

/** Different fractions for each of these numbers. */
const SEEDS = [4, 5]

/** Seconds after which all devices must have been reached, for the longest wait for a probe. */
const REACHED = 80

/** A number of minutes after which an accepted push counts no more. */
const FORGOTTEN = 11 * MINUTE

/** Lets an origin fail and accept again. Returns when it accepted pushes then, and the report. */
const recover = async (
  setup: ReviewFixture,
  { answer, isKnown, devices }: Omit<Failing, 'seconds' | 'name'>,
  { seconds, n, random }: { readonly seconds: number; readonly n: number; readonly random: () => number },
) => {
  const times: Array<Instant> = []
  let isFailing = false
  const script = () => {
    if (isFailing) return answer
    times.push(setup.clock.now())
    return DELIVERED
  }
  const reviewer = setup.reviewer({ script, random: { fraction: random } })
  if (isKnown) {
    await setup.notification(n)
    await reviewer.reviewed()
    times.splice(0)
  }
  isFailing = true
  const id = await setup.notification(n + 1)
  for (let second = 0; second < seconds + REACHED && times.length < devices; second += 1) {
    isFailing = second < seconds
    await reviewer.reviewed()
    setup.clock.advance(SECOND)
  }
  return { took: Math.max(...times) - Math.min(...times), report: await setup.report(id) }
}

/** When devices are reached that an origin failed before it was probed, and if it never was (G15). */
export const recovering = (on: ReviewTest): void => {
  for (const { name, seconds: all, ...failing } of FAILING)
    on(
      `G15: an origin that ${name} for a while then gets all pushes within 10 s of the first`,
      async (check, setup) => {
        await setup.readers(0, failing.devices)
        const times = all.flatMap((seconds) => SEEDS.map((seed) => ({ seconds, seed })))
        for (const [n, { seconds, seed }] of times.entries()) {
          const below = seeded(seed)
          const random = () => below(1000) / 1000
          const { took, report: came } = await recover(setup, failing, { seconds, n: 2 * n, random })
          const [message, { devices: recipients }] = [`${seconds} s, ${seed}`, failing]
          check.same(came, report('sent', { recipients, delivered: recipients }), message)
          check.ok(took <= 10 * SECOND, `${message}: ${took} ms`)
          setup.clock.advance(FORGOTTEN)
        }
      },
    )
}
