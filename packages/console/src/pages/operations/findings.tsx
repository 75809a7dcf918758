import { useOnce } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { Button, Icon } from '../../ui/controls.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Finding, listFindings } from './operations-api.ts'

const WHOLE = new AbortController().signal

const FindingEntry = ({ finding: { check, level, code, values } }: { readonly finding: Finding }) => {
  const { checks, findings, operations: words } = useMessages()
  if (level === 'ok' || code === 'in-order') return null
  const { what, fix } = findings[code](Object.fromEntries(values.map(({ name, text }) => [name, text])))
  return (
    <li className={`finding ${level}`}>
      <p className="meta">
        <span className="finding-level">{words.levels[level]}</span>
        <span>{checks[check] ?? check}</span>
      </p>
      <p>
        <strong>{what}</strong>
      </p>
      <p>{fix}</p>
    </li>
  )
}

const RANK: Readonly<Record<Finding['level'], number>> = { fault: 0, warning: 1, ok: 2 }

const Found = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) => {
  const { checks, operations: words } = useMessages()
  const open = findings.filter(({ level }) => level !== 'ok')
  const names = [...new Set(findings.map(({ check }) => check))]
  const inOrder = names.filter((name) => open.every(({ check }) => check !== name))
  return (
    <>
      {open.length === 0 && (
        <p className="all-well">
          <Icon name="check" />
          {words.allWell}
        </p>
      )}
      <ul className="findings">
        {open
          .toSorted((a, b) => RANK[a.level] - RANK[b.level])
          .map((finding) => (
            <FindingEntry key={`${finding.check} ${JSON.stringify(finding.values)}`} finding={finding} />
          ))}
      </ul>
      {inOrder.length > 0 && (
        <details className="in-order">
          <summary>{words.inOrder(inOrder.length)}</summary>
          <ul>
            {inOrder.map((name) => (
              <li key={name}>{checks[name] ?? name}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** What the checks of the service find, the most urgent first, each with its fix. `run` changes when they shall run again. */
export const Findings = ({ run, onAgain }: { readonly run: number; readonly onAgain: () => void }) => {
  const { operations: words } = useMessages()
  const { data, error, retry } = useOnce(`findings ${run}`, () => listFindings(WHOLE))
  const isChecking = data === undefined && error === undefined
  return (
    <section aria-labelledby="findings-title" aria-busy={isChecking}>
      <div className="page-head">
        <h2 id="findings-title">{words.findings}</h2>
        <Button onPress={onAgain} isDisabled={isChecking}>
          {words.again}
        </Button>
      </div>
      {error !== undefined && <Problem error={error} onRetry={retry} />}
      {isChecking && <p className="loading">{words.checking}</p>}
      {data !== undefined && <Found findings={data.data.findings.map(({ finding }) => finding)} />}
    </section>
  )
}
