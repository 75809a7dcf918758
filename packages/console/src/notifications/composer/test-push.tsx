import { useState } from 'react'
import type { Side } from '../../content/translation/pair-api.ts'
import { useOnce } from '../../session/answers.ts'
import { useMessages, useMoment, useSession } from '../../session/session.tsx'
import { Button, SelectField } from '../../ui/controls.tsx'
import { errorTexts } from '../../ui/problem.tsx'
import { listOwnDevices, type OwnDevice, sendTest } from './composer-api.ts'
import { type Draft, toSchedule } from './draft.ts'

const Sender = ({
  draft,
  devices,
}: {
  readonly draft: Draft
  readonly devices: readonly [OwnDevice, ...ReadonlyArray<OwnDevice>]
}) => {
  const messages = useMessages()
  const { composer: words, languages } = messages
  const dayOf = useMoment({ dateStyle: 'long' })
  const [device, setDevice] = useState(devices[0].number)
  const [said, setSaid] = useState('')
  const kinds: Readonly<Record<string, string | undefined>> = words.kinds
  const send = async (side: Side) => {
    setSaid(words.testing)
    try {
      const { outcome, reason } = await sendTest(side, draft.sides[side], device)
      setSaid(words.outcomes[outcome](reason))
    } catch (error) {
      setSaid(errorTexts(error, messages).join(' '))
    }
  }
  return (
    <>
      <SelectField
        label={words.device}
        value={String(device)}
        options={devices.map(({ number, kind, attachedAt }) => ({
          value: String(number),
          label: words.ownDevice(kinds[kind] ?? kind, dayOf(attachedAt)),
        }))}
        onChange={(number) => setDevice(Number(number))}
      />
      <div className="actions">
        {toSchedule(draft).map((side) => (
          <Button key={side} onPress={() => void send(side)}>
            {words.testIn(languages[side])}
          </Button>
        ))}
      </div>
      <p role="status">{said}</p>
    </>
  )
}

/** Sends the text as it is to one device of the signed-in person. */
export const TestPush = ({ draft }: { readonly draft: Draft }) => {
  const { composer: words } = useMessages()
  const { email } = useSession().session.manager
  const { data } = useOnce('own devices', listOwnDevices)
  const [first, ...others] = data ?? []
  return (
    <section className="test-push" aria-labelledby="test-head">
      <h2 id="test-head">{words.test}</h2>
      <p className="hint">{words.testHint}</p>
      {data !== undefined && first === undefined && <p>{words.noOwnDevice(email)}</p>}
      {first !== undefined && <Sender draft={draft} devices={[first, ...others]} />}
    </section>
  )
}
