import { useState } from 'react'
import { useActs, useAnswer } from '../session/answers.ts'
import { consoleApi } from '../session/api.ts'
import { useMessages, useMoment } from '../session/session.tsx'
import { Button } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { Refusal } from '../ui/problem.tsx'

const readFeed = (signal: AbortSignal) => consoleApi.get('/session/waiting-feed', { signal })

/** The private address at which the person's feed reader asks how many posts wait (M14). It is shown once, when it is made. */
export const WaitingFeed = () => {
  const { waitingFeed: words } = useMessages()
  const { refused, isBusy, run } = useActs()
  const { answer, reload } = useAnswer('waiting feed', readFeed)
  const [url, setUrl] = useState<string>()
  const [asked, setAsked] = useState<'replace' | 'remove'>()
  const dayOf = useMoment({ dateStyle: 'medium' })
  if (answer === undefined) return undefined
  const { madeAt } = answer.data.waitingFeed
  const make = () =>
    void run(
      () => consoleApi.put('/session/waiting-feed', { body: {} }),
      ({ data }) => {
        setUrl(data.waitingFeed.url)
        reload()
      },
    )
  const remove = () =>
    void run(
      () => consoleApi.delete('/session/waiting-feed'),
      () => {
        setUrl(undefined)
        reload()
        showToast({ text: words.removed })
      },
    )
  return (
    <section className="account-part" aria-labelledby="waiting-feed">
      <h2 id="waiting-feed">{words.title}</h2>
      <p>{words.text}</p>
      <p className="hint">{madeAt === '' ? words.none : words.made(dayOf(madeAt))}</p>
      {url !== undefined && (
        <div className="text-field">
          <label className="label" htmlFor="waiting-feed-url">
            {words.address}
          </label>
          <input
            id="waiting-feed-url"
            readOnly
            value={url}
            aria-describedby="waiting-feed-hint"
            onFocus={(event) => event.currentTarget.select()}
          />
          <p id="waiting-feed-hint" className="hint">
            {words.once}
          </p>
        </div>
      )}
      <Refusal error={refused} />
      <div className="actions">
        {url !== undefined && (
          <Button
            kind="primary"
            onPress={() =>
              void navigator.clipboard?.writeText(url).then(
                () => showToast({ text: words.copied }),
                () => {},
              )
            }
          >
            {words.copy}
          </Button>
        )}
        <Button isDisabled={isBusy} onPress={madeAt === '' ? make : () => setAsked('replace')}>
          {madeAt === '' ? words.make : words.replace}
        </Button>
        {madeAt !== '' && (
          <Button isDisabled={isBusy} onPress={() => setAsked('remove')}>
            {words.remove}
          </Button>
        )}
      </div>
      {asked !== undefined && (
        <ConfirmDialog
          title={words.confirmTitle[asked]}
          confirm={words[asked]}
          onCancel={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined)
            if (asked === 'remove') remove()
            else make()
          }}
        >
          <p>{words.confirmText}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
