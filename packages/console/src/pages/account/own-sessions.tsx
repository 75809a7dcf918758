import { SessionList } from '../../managers/credentials.tsx'
import { useActs, useAnswer } from '../../session/answers.ts'
import { consoleApi } from '../../session/api.ts'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { Refusal } from '../../ui/problem.tsx'

const listOwnSessions = async (signal: AbortSignal) => {
  const { data, ...rest } = await consoleApi.get('/sessions', { signal })
  return { ...rest, data: data.sessions.map(({ session }) => session) }
}

/** Where the person is signed in, with the means to end all other sessions. */
export const OwnSessions = () => {
  const { sessions: words } = useMessages()
  const { refused, isBusy, run } = useActs()
  const { answer, reload } = useAnswer('own sessions', listOwnSessions)
  const endOthers = () =>
    void run(
      () => consoleApi.delete('/sessions'),
      () => {
        reload()
        showToast({ text: words.ended })
      },
    )
  const all = answer?.data ?? []
  return (
    <section className="account-part" aria-labelledby="own-sessions">
      <h2 id="own-sessions">{words.title}</h2>
      <SessionList sessions={all} />
      <Refusal error={refused} />
      {all.length > 1 && (
        <Button isDisabled={isBusy} onPress={endOthers}>
          {words.endOthers}
        </Button>
      )}
    </section>
  )
}
