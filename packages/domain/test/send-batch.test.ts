import { done, SAMPLE_MOMENT, sampleDevice, sampleNotification } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'
import { newFixture } from './fixtures/fixture.ts'

t.test('G15: a batch goes on whose pace has allowed a push between two looks at the clock', async (t) => {
  const { ports, clock } = newFixture()
  clock.set(SAMPLE_MOMENT)
  for (let n = 0; n < 3; n += 1) await done(ports.devices.attach(sampleDevice(n)))
  await done(ports.notifications.add(sampleNotification(1)))
  await done(ports.deliveries.start(SAMPLE_MOMENT, domain.MINUTE))
  const claimed = await done(
    ports.deliveries.claim({
      now: SAMPLE_MOMENT,
      most: 10,
      first: 'retries',
      except: [],
      isAbandoned: () => false,
    }),
  )
  if (O.isNone(claimed)) throw new Error('there is nothing to claim')
  const lanes = domain.makeLanes(10, clock)
  let [tries, looks] = [0, 0]
  const served = await domain.sendBatch(
    { ...ports, notSent: () => {} },
    {
      batch: claimed.value,
      claimedAt: SAMPLE_MOMENT,
      message: domain.messageOf(sampleNotification(1), domain.NO_LINKS, domain.DEFAULT_POLICY.look),
      ...{ shortened: '', left: new Set(), isOver: () => false, onStuck: () => {}, lifeEnd: (end) => end },
      lanes: {
        ...lanes,
        // Nothing may begin at first; a moment later there is room, and no wait is left.
        enter: (origin) => {
          tries += 1
          return tries > 3 && lanes.enter(origin)
        },
        room: (origin) => {
          looks += 1
          return looks === 1 ? 0 : lanes.room(origin)
        },
        untilPace: () => O.none,
      },
    },
  )
  t.equal(E.isRight(served) && served.right.results.length, 3)
})
