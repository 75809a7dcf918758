import { at } from '../../paths.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import type { Manager } from './managers-api.ts'

/** What an operator can do with a manager. */
export type ManagerAct =
  | 'link'
  | 'sessions'
  | 'passkeys'
  | 'password'
  | 'duty'
  | 'disable'
  | 'enable'
  | 'unlink'

const actsOf = ({ disabled, hasPassword }: Manager, isLinked: boolean): ReadonlyArray<ManagerAct> => [
  ...(disabled
    ? (['enable', 'passkeys'] as const)
    : (['link', 'sessions', 'passkeys', 'duty', 'disable'] as const)),
  ...(hasPassword ? (['password'] as const) : []),
  ...(isLinked ? (['unlink'] as const) : []),
]

/** A manager with the acts that are possible. One's own access is changed by another operator. */
export const ManagerRow = ({
  manager,
  isLinked,
  onAct,
}: {
  readonly manager: Manager
  /** Whether an account of the identity provider is linked. */
  readonly isLinked: boolean
  readonly onAct: (act: ManagerAct) => void
}) => {
  const { managers: words, languages } = useMessages()
  const isOwn = useSession().session.manager.email === manager.email
  const { name, email, duty, language, disabled } = manager
  const labels: Readonly<Record<ManagerAct, string>> = {
    ...words.acts,
    duty: duty === 'editor' ? words.makeOperator : words.makeEditor,
  }
  return (
    <li className="manager">
      <div>
        <h2>{name}</h2>
        <p className="meta">
          <span>{email}</span>
          <span>{words.duties[duty]}</span>
          <span>{languages[language]}</span>
          {isLinked && <span className="tag">{words.linked}</span>}
          {disabled && <span className="mark">{words.disabled}</span>}
          {isOwn && <span className="tag">{words.you}</span>}
        </p>
      </div>
      {isOwn ? (
        <a className="button quiet" href={at('/console/account')}>
          {words.ownAccount}
        </a>
      ) : (
        <div className="actions">
          {actsOf(manager, isLinked).map((act) => (
            <Button key={act} aria-label={words.actLabel(labels[act], name)} onPress={() => onAct(act)}>
              {labels[act]}
            </Button>
          ))}
        </div>
      )}
    </li>
  )
}
