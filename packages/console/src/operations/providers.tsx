import { useState } from 'react'
import { useAnswer } from '../session/answers.ts'
import { useMessages, useMoment } from '../session/session.tsx'
import { Button, SelectField } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { errorTexts, Problem } from '../ui/problem.tsx'
import { listProviders, type ProviderState, pauseProvider, resumeProvider } from './operations-api.ts'

/** The reason of a pause that the service began because too many devices were called unregistered. */
const TOO_MANY_DEAD = 'too many tokens called dead'

/** Asks before a provider is resumed. After too many unregistered devices, the person chooses whether to accept such reports. */
const ResumeDialog = ({
  provider,
  name,
  onConfirm,
  onCancel,
}: {
  readonly provider: ProviderState
  readonly name: string
  readonly onConfirm: (hours: number | undefined) => void
  readonly onCancel: () => void
}) => {
  const { operations: words } = useMessages()
  const [hours, setHours] = useState<keyof typeof words.accepts>('')
  const options = (['', '1', '24'] as const).map((value) => ({ value, label: words.accepts[value] }))
  return (
    <ConfirmDialog
      title={words.resumeTitle(name)}
      confirm={words.resumeConfirm}
      onCancel={onCancel}
      onConfirm={() => onConfirm(hours === '' ? undefined : Number(hours))}
    >
      <p>{words.resumeText}</p>
      {provider.reason === TOO_MANY_DEAD && (
        <SelectField
          label={words.accept}
          value={hours}
          options={options}
          onChange={(value) => setHours(value as typeof hours)}
        />
      )}
    </ConfirmDialog>
  )
}

/** Whether the provider, or one of its servers, is paused. */
const isHeld = ({ isPaused, servers }: ProviderState): boolean => isPaused || servers.length > 0

const Pause = ({
  since,
  until,
  reason,
  server,
}: Pick<ProviderState, 'since' | 'until' | 'reason'> & { readonly server?: string }) => {
  const { colon, operations: words } = useMessages()
  const momentOf = useMoment()
  return (
    <p className="hint">
      {server !== undefined && `${server}${colon}`}
      {words.since(momentOf(since))} {words.reasons[reason] ?? words.reason(reason)}
      {until !== '' && ` ${words.until(momentOf(until))}`}
    </p>
  )
}

const Details = ({ provider }: { readonly provider: ProviderState }) => {
  const { operations: words } = useMessages()
  const momentOf = useMoment()
  const { isPaused, overrideUntil, servers } = provider
  return (
    <>
      {isPaused && <Pause {...provider} />}
      {servers.map((one) => (
        <Pause key={one.server} {...one} />
      ))}
      {!isHeld(provider) && overrideUntil !== '' && (
        <p className="hint">{words.override(momentOf(overrideUntil))}</p>
      )}
    </>
  )
}

const Provider = ({
  provider,
  isUsed,
  onAct,
}: {
  readonly provider: ProviderState
  readonly isUsed: boolean
  readonly onAct: () => void
}) => {
  const { operations: words } = useMessages()
  const unpaused = isUsed ? 'running' : 'off'
  const state = isHeld(provider) ? 'paused' : unpaused
  const name = words.names[provider.name] ?? provider.name
  return (
    <li className="provider">
      <div>
        <h3>{name}</h3>
        <p className="meta">
          <span className={`status provider-${state}`}>{words.states[state]}</span>
        </p>
        <Details provider={provider} />
      </div>
      {state !== 'off' && (
        <Button
          aria-label={isHeld(provider) ? words.resumeLabel(name) : words.pauseLabel(name)}
          onPress={onAct}
        >
          {isHeld(provider) ? words.resume : words.pause}
        </Button>
      )}
    </li>
  )
}

/** The push providers with their state, and the means to pause and resume each. */
export const Providers = ({
  used,
  onChange,
}: {
  /** The providers that the settings name; empty where that is unknown. */
  readonly used: ReadonlyArray<string>
  readonly onChange: () => void
}) => {
  const messages = useMessages()
  const { operations: words } = messages
  const { answer, error, reload } = useAnswer('providers', listProviders)
  const [chosen, setChosen] = useState<ProviderState>()
  const [refused, setRefused] = useState<unknown>()
  const nameOf = ({ name }: ProviderState) => words.names[name] ?? name
  const act = async (done: string, change: () => Promise<unknown>) => {
    setChosen(undefined)
    setRefused(undefined)
    try {
      await change()
      showToast({ text: done })
    } catch (cause) {
      setRefused(cause)
    }
    reload()
    onChange()
  }
  return (
    <section aria-labelledby="providers-title">
      <h2 id="providers-title">{words.providers}</h2>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {refused !== undefined && (
        <div className="notice problem" role="alert">
          {errorTexts(refused, messages).map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      {answer === undefined && error === undefined && <p className="loading">{messages.loading}</p>}
      <ul className="providers">
        {answer?.data.providers.map(({ provider }) => (
          <Provider
            key={provider.name}
            provider={provider}
            isUsed={used.length === 0 || used.includes(provider.name)}
            onAct={() => setChosen(provider)}
          />
        ))}
      </ul>
      {chosen !== undefined && !isHeld(chosen) && (
        <ConfirmDialog
          title={words.pauseTitle(nameOf(chosen))}
          confirm={words.pauseConfirm}
          onCancel={() => setChosen(undefined)}
          onConfirm={() => act(words.done.paused(nameOf(chosen)), () => pauseProvider(chosen.name))}
        >
          <p>{words.pauseText}</p>
        </ConfirmDialog>
      )}
      {chosen !== undefined && isHeld(chosen) && (
        <ResumeDialog
          provider={chosen}
          name={nameOf(chosen)}
          onCancel={() => setChosen(undefined)}
          onConfirm={(hours) =>
            act(words.done.resumed(nameOf(chosen)), () => resumeProvider(chosen.name, hours))
          }
        />
      )}
    </section>
  )
}
