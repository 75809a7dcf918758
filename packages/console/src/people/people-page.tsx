import { type SubmitEvent, useCallback, useEffect, useState } from 'react'
import { at } from '../paths.ts'
import { useMessages } from '../session/session.tsx'
import { Button, Icon } from '../ui/controls.tsx'
import { Problem } from '../ui/problem.tsx'
import { type FoundPeople, findPeople } from './people-api.ts'

/** The latest search, for the way back to this page. An address stands in no URL and in no storage of the browser. */
let latest = ''

const Row = ({ user }: FoundPeople['users'][number]) => {
  const { people, languages } = useMessages()
  const { number, email, lang, subscribed, devices } = user
  return (
    <li className="row person-row">
      <div>
        <a className="title" href={at(`/console/people/${number}`)}>
          {email}
        </a>
        <p className="meta">
          <span>{lang === null ? people.noPreference : languages[lang]}</span>
          {subscribed !== null && <span>{subscribed ? people.subscribed : people.unsubscribed}</span>}
          {lang !== null && <span>{people.devices(devices)}</span>}
        </p>
      </div>
    </li>
  )
}

const Results = ({ found }: { readonly found: FoundPeople }) => {
  const { people } = useMessages()
  const { users, hasMore } = found
  return (
    <>
      <p role="status" className={users.length === 0 ? 'empty' : 'hint'}>
        {users.length === 0 ? people.nothing : people.found(users.length)}
        {hasMore && ` ${people.more}`}
      </p>
      {users.length > 0 && (
        <ul className="rows" aria-label={people.title}>
          {users.map(({ user }) => (
            <Row key={user.number} user={user} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Finds people by their address. */
export const PeoplePage = () => {
  const { people } = useMessages()
  const [text, setText] = useState(latest)
  const [found, setFound] = useState<FoundPeople>()
  const [failure, setFailure] = useState<unknown>()
  const search = useCallback(async (address: string) => {
    latest = address.trim()
    if (latest === '') return setFound(undefined)
    setFailure(undefined)
    await findPeople(latest).then(setFound, setFailure)
  }, [])
  useEffect(() => void search(latest), [search])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void search(text)
  }
  return (
    <div className="page">
      <div>
        <h1>{people.title}</h1>
        <p className="hint">{people.intro}</p>
      </div>
      <search>
        <form className="people-search" onSubmit={submit}>
          <label className="search">
            <span className="label">{people.search}</span>
            <Icon name="search" />
            <input
              type="search"
              value={text}
              maxLength={254}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
            />
          </label>
          <Button kind="primary" type="submit">
            {people.find}
          </Button>
        </form>
      </search>
      {failure !== undefined && <Problem error={failure} onRetry={() => void search(latest)} />}
      {failure === undefined && found !== undefined && <Results found={found} />}
    </div>
  )
}
