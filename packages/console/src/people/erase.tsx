import { useState } from 'react'
import type { Messages } from '../messages/en.ts'
import { at } from '../paths.ts'
import type { Acts } from '../session/answers.ts'
import { goTo } from '../session/router.ts'
import { useMessages } from '../session/session.tsx'
import { Button } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { erasePerson, type Person } from './people-api.ts'

/** Returns what an erasure removes (L1), in words; parts of which there is nothing are left out. */
const partsOf = (person: Person, { person: { goes } }: Messages): ReadonlyArray<string> => {
  const { lang, devices, removedDevices, posts, deliveries, clients, duty, workingCopies, responses } = person
  const attached = devices.length + removedDevices.length
  const parts: ReadonlyArray<readonly [isThere: boolean, words: string]> = [
    [lang !== null, goes.preference],
    [attached > 0, goes.devices(attached)],
    [posts > 0, goes.posts(posts)],
    [deliveries > 0, goes.deliveries(deliveries)],
    [clients.length > 0, goes.clients(clients)],
    [duty !== null, goes.manager],
    [workingCopies > 0, goes.workingCopies(workingCopies)],
    [responses > 0, goes.responses(responses)],
    [true, goes.number],
  ]
  return parts.filter(([isThere]) => isThere).map(([, words]) => words)
}

/** Erases a person after a question that names what goes. */
export const Erase = ({ person, run }: { readonly person: Person; readonly run: Acts['run'] }) => {
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
