import { ApiError } from '@almoner/client'
import { type ReactNode, useState } from 'react'
import { pathOf } from '../content/items.ts'
import { useLabelNames } from '../content/items-api.ts'
import type { Messages } from '../messages/en.ts'
import { at } from '../paths.ts'
import { type Acts, useActs, useAnswer } from '../session/answers.ts'
import type { PageProps } from '../session/match.ts'
import { goTo } from '../session/router.ts'
import { useMessages, useMoment } from '../session/session.tsx'
import { BackLink, Button, Icon } from '../ui/controls.tsx'
import { StatusMark } from '../ui/marks.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { Problem, Refusal } from '../ui/problem.tsx'
import { downloadPerson, erasePerson, listPosts, type Person, readPerson } from './people-api.ts'

/** The devices of a person, without tokens: kind, language, and when each was last seen. Removed ones come last. */
const Devices = ({ person: { devices, removedDevices } }: { readonly person: Person }) => {
  const { person: words, languages } = useMessages()
  const moment = useMoment()
  const kinds: Readonly<Record<string, string | undefined>> = words.kinds
  const all = [...devices.map((device) => ({ ...device, removedAt: undefined })), ...removedDevices]
  return (
    <section className="person-part">
      <h2>{words.devices}</h2>
      {all.length === 0 ? (
        <p className="hint">{words.noDevices}</p>
      ) : (
        <ul className="rows" aria-label={words.devices}>
          {all.map(({ kind, lang, lastSeenAt, removedAt }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: devices have no name here, because tokens stay on the server
            <li key={at} className="row person-row">
              <div>
                <strong>{kinds[kind] ?? kind}</strong>
                <p className="meta">
                  {lang !== null && <span>{languages[lang]}</span>}
                  <span>{words.lastSeen(moment(lastSeenAt))}</span>
                  {removedAt !== undefined && <span>{words.removed(moment(removedAt))}</span>}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Returns what an erasure removes (L1), in words; parts of which there is nothing are left out. */
const partsOf = (person: Person, { person: { goes } }: Messages): ReadonlyArray<string> => {
  const { lang, devices, removedDevices, posts, deliveries, seen, clients, duty, workingCopies, responses } =
    person
  const attached = devices.length + removedDevices.length
  const parts: ReadonlyArray<readonly [isThere: boolean, words: string]> = [
    [lang !== null, goes.preference],
    [attached > 0, goes.devices(attached)],
    [posts > 0, goes.posts(posts)],
    [deliveries > 0, goes.deliveries(deliveries)],
    [seen > 0, goes.seen(seen)],
    [clients.length > 0, goes.clients(clients)],
    [duty !== null, goes.manager],
    [workingCopies > 0, goes.workingCopies(workingCopies)],
    [responses > 0, goes.responses(responses)],
    [true, goes.number],
  ]
  return parts.filter(([isThere]) => isThere).map(([, words]) => words)
}

/** Erases a person after a question that names what goes. */
const Erase = ({ person, run }: { readonly person: Person; readonly run: Acts['run'] }) => {
  const messages = useMessages()
  const { person: words } = messages
  const [isAsking, setIsAsking] = useState(false)
  const erase = () => {
    setIsAsking(false)
    void run(
      () => erasePerson(person.number),
      () => {
        showToast({ text: words.erased })
        goTo(at('/console/people'))
      },
    )
  }
  return (
    <>
      <Button onPress={() => setIsAsking(true)}>{words.erase}</Button>
      {isAsking && (
        <ConfirmDialog
          title={words.eraseTitle(person.email)}
          confirm={words.eraseConfirm}
          isDangerous
          onConfirm={erase}
          onCancel={() => setIsAsking(false)}
        >
          <p>{words.eraseText}</p>
          <ul className="bullets">
            {partsOf(person, messages).map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
          <p className="hint">{words.backups}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Posts that are shown at once. */
const STEP = 20

/** The posts that a person wrote, newest first. */
const OwnPosts = ({ number, total }: { readonly number: number; readonly total: number }) => {
  const { person: words, languages } = useMessages()
  const moment = useMoment()
  const [most, setMost] = useState(STEP)
  const { answer, error, reload } = useAnswer(`posts of person ${number} ${most} ${total}`, (signal) =>
    listPosts(number, most, signal),
  )
  const items = answer?.data.items ?? []
  return (
    <section className="person-part">
      <h2>{words.posts}</h2>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {total === 0 && <p className="hint">{words.noPosts}</p>}
      {items.length > 0 && (
        <ul className="rows" aria-label={words.posts}>
          {items.map(({ item }) => (
            <li key={item.itemId} className="row person-row">
              <div>
                <a className="title" href={pathOf('feed', item.itemId)} lang={item.lang}>
                  {item.itemTitle}
                </a>
                <p className="meta">
                  <StatusMark status={item.status} />
                  <span>{languages[item.lang]}</span>
                  <time dateTime={item.createdAt}>{moment(item.createdAt)}</time>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {total > most && <Button onPress={() => setMost(most + STEP)}>{words.morePosts}</Button>}
    </section>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const Facts = ({ person }: { readonly person: Person }) => {
  const { person: words, people, languages } = useMessages()
  const { lang, subscribed, topics, number, duty, clients, deliveries, seen } = person
  const nameOf = useLabelNames()
  return (
    <dl className="facts">
      <Fact name={words.language}>{lang === null ? people.noPreference : languages[lang]}</Fact>
      {subscribed !== null && (
        <Fact name={words.notifications}>{subscribed ? words.subscribed : words.unsubscribed}</Fact>
      )}
      {topics !== null && (
        <Fact name={words.topics}>
          {topics.length === 0 ? words.everything : topics.map(nameOf).join(', ')}
        </Fact>
      )}
      <Fact name={words.number}>{number}</Fact>
      {duty !== null && <Fact name={words.duty}>{words.duties[duty]}</Fact>}
      {clients.length > 0 && <Fact name={words.clients}>{clients.join(', ')}</Fact>}
      {deliveries > 0 && <Fact name={words.deliveries}>{deliveries}</Fact>}
      {seen > 0 && <Fact name={words.seen}>{seen}</Fact>}
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
