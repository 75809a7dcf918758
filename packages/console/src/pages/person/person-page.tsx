import { ApiError } from '@almoner/client'
import type { ReactNode } from 'react'
import { at } from '../../paths.ts'
import { Devices } from '../../people/devices.tsx'
import { Erase } from '../../people/erase.tsx'
import { OwnPosts } from '../../people/own-posts.tsx'
import { downloadPerson, type Person, readPerson } from '../../people/people-api.ts'
import { useActs, useAnswer } from '../../session/answers.ts'
import type { PageProps } from '../../session/match.ts'
import { useMessages } from '../../session/session.tsx'
import { BackLink, Button, Icon } from '../../ui/controls.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { Problem, Refusal } from '../../ui/problem.tsx'

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const Facts = ({ person }: { readonly person: Person }) => {
  const { person: words, people, languages } = useMessages()
  const { lang, subscribed, number, duty, clients, deliveries } = person
  return (
    <dl className="facts">
      <Fact name={words.language}>{lang === null ? people.noPreference : languages[lang]}</Fact>
      {subscribed !== null && (
        <Fact name={words.notifications}>{subscribed ? words.subscribed : words.unsubscribed}</Fact>
      )}
      <Fact name={words.number}>{number}</Fact>
      {duty !== null && <Fact name={words.duty}>{words.duties[duty]}</Fact>}
      {clients.length > 0 && <Fact name={words.clients}>{clients.join(', ')}</Fact>}
      {deliveries > 0 && <Fact name={words.deliveries}>{deliveries}</Fact>}
    </dl>
  )
}

const Shown = ({ person }: { readonly person: Person }) => {
  const { person: words } = useMessages()
  const { refused, run } = useActs()
  const download = () =>
    void run(
      () => downloadPerson(person.number),
      () => showToast({ text: words.downloaded }),
    )
  return (
    <>
      <div className="page-head">
        <h1 className="address">{person.email}</h1>
        <div className="actions">
          <Button onPress={download}>
            <Icon name="download" />
            {words.download}
          </Button>
          <Erase person={person} run={run} />
        </div>
      </div>
      <Refusal error={refused} />
      <Facts person={person} />
      <Devices person={person} />
      <OwnPosts number={person.number} total={person.posts} />
    </>
  )
}

/** A person: preference, devices and posts, with export and erasure. The address of the page has a number. */
export const PersonPage = ({ params }: PageProps) => {
  const messages = useMessages()
  const { person: words } = messages
  const number = Number(params['number'])
  const { answer, error, reload } = useAnswer(`person ${number}`, (signal) => readPerson(number, signal))
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return (
    <div className="page">
      <BackLink href={at('/console/people')} text={words.back} />
      {isGone && (
        <>
          <h1>{words.title}</h1>
          <p>{words.gone}</p>
        </>
      )}
      {!isGone && error !== undefined && <Problem error={error} onRetry={reload} />}
      {!isGone && answer === undefined && error === undefined && (
        <p className="loading">{messages.loading}</p>
      )}
      {!isGone && answer !== undefined && <Shown person={answer.data.user} />}
    </div>
  )
}
