import { LANGUAGES } from '@almoner/domain/values'
import * as fc from 'fast-check'
import { type Step, WAYS } from './fixture.ts'

const user = fc.nat(2)
const device = fc.nat(5)
const lang = fc.constantFrom(...LANGUAGES)
const batch = fc.nat(9)

const attach = fc.record({ kind: fc.constant('attach' as const), device, user })
const claim = fc.record({ kind: fc.constant('claim' as const), most: fc.integer({ min: 1, max: 3 }) })
const record = fc.record({
  kind: fc.constant('record' as const),
  batch,
  ways: fc.array(fc.constantFrom(...WAYS), { maxLength: 4 }),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: attach, weight: 4 },
  fc.record({ kind: fc.constant('detach' as const), device, user }),
  fc.record({ kind: fc.constant('prefer' as const), user, lang, subscribed: fc.boolean() }),
  fc.record({ kind: fc.constant('putAll' as const), users: fc.array(user, { maxLength: 3 }), lang }),
  { arbitrary: fc.record({ kind: fc.constant('add' as const), lang }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('start' as const) }), weight: 2 },
  { arbitrary: claim, weight: 4 },
  { arbitrary: record, weight: 4 },
  { arbitrary: fc.record({ kind: fc.constant('letGo' as const), batch }), weight: 2 },
  fc.record({ kind: fc.constantFrom('release' as const, 'resume' as const, 'restore' as const) }),
  fc.record({ kind: fc.constant('remove' as const), notification: fc.nat(5) }),
  {
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 31, 61) }),
    weight: 2,
  },
)

/** Devices that are attached at first. */
export const attachments = fc.array(attach, { minLength: 4, maxLength: 8 })

/** What happens then. */
export const steps = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' })
