import { ApiError } from '@almoner/client'
import { useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import type { Messages } from '../messages/en.ts'
import { at } from '../paths.ts'
import { changes, useAnswer } from '../session/answers.ts'
import { goTo } from '../session/router.ts'
import type { ServerProgress } from '../session/send-form.ts'
import { useMessages } from '../session/session.tsx'
import { BackLink, Button, Icon } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { Problem } from '../ui/problem.tsx'
import { Differences } from './differences.tsx'
import { AllFindings } from './findings.tsx'
import {
  type ChosenFile,
  filesOfDrop,
  filesOfList,
  type LoadState,
  type Plan,
  type Review,
  useLoad,
} from './load.ts'
import { readPortfolio } from './portfolio-api.ts'

type Fault = Review['faults'][number]

const byFile = (faults: ReadonlyArray<Fault>): ReadonlyMap<string, ReadonlyArray<Fault>> => {
  const files = new Map<string, ReadonlyArray<Fault>>()
  for (const fault of faults) files.set(fault.file, [...(files.get(fault.file) ?? []), fault])
  return files
}

/** The errors of the files, by file and line. */
const Faults = ({ faultCount, faults }: Pick<Review, 'faultCount' | 'faults'>) => {
  const { portfolioLoad: words } = useMessages()
  return (
    <section className="notice problem" aria-labelledby="faults-title">
      <h2 id="faults-title">{words.faults(faultCount)}</h2>
      <p>{words.nothingChanged}</p>
      <ul className="faults">
        {[...byFile(faults)].map(([file, own]) => (
          <li key={file}>
            <h3>{file === '' ? words.folder : file}</h3>
            <ul>
              {own.map(({ line, text }) => (
                <li key={`${line} ${text}`}>
                  {line !== null && <strong>{words.line(line)} </strong>}
                  {words.fault(text)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {faultCount > faults.length && <p>{words.moreFaults(faultCount - faults.length)}</p>}
    </section>
  )
}

/** Takes a folder or a zip archive, by drop or by dialog. */
const FileChooser = ({ onChoose }: { readonly onChoose: (files: ReadonlyArray<ChosenFile>) => void }) => {
  const { portfolioLoad: words } = useMessages()
  return (
    <div className="file-chooser">
      <DropZone
        className="drop-zone"
        aria-label={words.dropLabel}
        onDrop={(event) => void filesOfDrop(event.items).then(onChoose)}
      >
        <span className="drop-hint">
          <Icon name="portfolio" />
          {words.drop}
        </span>
      </DropZone>
      <div className="actions">
        <FileTrigger acceptDirectory onSelect={(list) => onChoose(filesOfList(list))}>
          <Button>{words.chooseFolder}</Button>
        </FileTrigger>
        <FileTrigger
          acceptedFileTypes={['application/zip', '.zip']}
          onSelect={(list) => onChoose(filesOfList(list))}
        >
          <Button>{words.chooseArchive}</Button>
        </FileTrigger>
      </div>
    </div>
  )
}

/** Returns the reasons of a failed load; none for other problems of the server. */
const textsOf = (error: unknown, { colon, portfolioLoad: words }: Messages): ReadonlyArray<string> => {
  if (!(error instanceof ApiError)) return [words.notSent]
  if (error.code === 'content_too_large' && error.errors.length === 0) return [words.tooLarge]
  if (error.code === 'precondition_failed') return [words.hasChanged]
  if (error.code === 'presence_required') return [words.noPresence]
  return error.errors.map(({ field, message }) =>
    field === 'files' ? words.upload(message) : `${field}${colon}${words.fault(message)}`,
  )
}

/** Says why files were not taken: each of the server's reasons, or the problem as a whole. */
const LoadProblem = ({ error }: { readonly error: unknown }) => {
  const texts = textsOf(error, useMessages())
  if (texts.length === 0) return <Problem error={error} />
  return (
    <div className="notice problem" role="alert">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}

/** The numbers of rows by table. */
const Tables = ({ tables }: Pick<Plan, 'tables'>) => {
  const { portfolioLoad: words } = useMessages()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="plan-scroll" aria-label={words.byTable} tabIndex={0}>
      <table className="plan-table">
        <caption className="visually-hidden">{words.byTable}</caption>
        <thead>
          <tr>
            <th scope="col">{words.table}</th>
            <th scope="col">{words.added}</th>
            <th scope="col">{words.changed}</th>
            <th scope="col">{words.removed}</th>
            <th scope="col">{words.kept}</th>
          </tr>
        </thead>
        <tbody>
          {tables.map(({ table, load, added, changed, removed, kept }) => (
            <tr key={table}>
              <th scope="row">
                {words.tables[table]} <span className="hint">{words.loads[load]}</span>
              </th>
              <td>{added}</td>
              <td>{changed}</td>
              <td>{removed}</td>
              <td>{kept}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The organizations that a load adds, changes or removes, each with the tables of its rows. */
const Organizations = ({ organizations, rows }: Pick<Plan, 'organizations' | 'rows'>) => {
  const { portfolioLoad: words } = useMessages()
  return (
    <ul className="plan-organizations">
      {organizations.map(({ id, name, kind, tables }) => (
        <li key={id}>
          <p>
            <strong>{name}</strong> <span className={`mark ${kind}`}>{words.kinds[kind]}</span>
          </p>
          {kind === 'changed' && (
            <p className="hint">
              {tables
                .map(({ table, ...counts }) => words.tableChange(words.tables[table], counts))
                .join(' · ')}
            </p>
          )}
          <Differences
            rows={rows.filter((row) => row.table !== 'sectors' && row.id === id)}
            title={words.differences(name)}
          />
        </li>
      ))}
    </ul>
  )
}

/** Remarks about the files, which prevent no load. */
const Remarks = ({ images, imageCount, years }: Pick<Plan, 'images' | 'imageCount' | 'years'>) => {
  const { portfolioLoad: words } = useMessages()
  if (images.length === 0 && years.length === 0) return null
  return (
    <details className="notice amber">
      <summary>{words.remarks(imageCount + years.length)}</summary>
      <ul>
        {years.map((year) => (
          <li key={year}>{words.yearOutside(year)}</li>
        ))}
        {images.map(({ kind, file, width, height }) => (
          <li key={`${kind}/${file}`}>{words.unusualImage(`${kind}/${file}`, width, height)}</li>
        ))}
        {imageCount > images.length && <li>{words.moreFaults(imageCount - images.length)}</li>}
      </ul>
    </details>
  )
}

/** The changes of a load, and remarks about its files. */
const PlanView = ({ plan }: { readonly plan: Plan }) => {
  const { portfolioLoad: words } = useMessages()
  return (
    <>
      <section className="portfolio-part" aria-labelledby="plan-title">
        <h2 id="plan-title">{words.changes(plan.organizationCount)}</h2>
        <Organizations {...plan} />
        <Differences
          rows={plan.rows.filter(({ table }) => table === 'sectors')}
          title={words.sectorDifferences}
        />
        {plan.organizationCount > plan.organizations.length && (
          <p>{words.moreFaults(plan.organizationCount - plan.organizations.length)}</p>
        )}
        <Tables tables={plan.tables} />
      </section>
      <Remarks images={plan.images} imageCount={plan.imageCount} years={plan.years} />
      <AllFindings findings={plan.findings.map(({ finding }) => finding)} count={plan.findingCount} />
    </>
  )
}

/** Returns whether a load would change anything. */
const changesAnything = ({ tables, name }: Plan, present: string): boolean =>
  name !== present || tables.some(({ added, changed, removed }) => added + changed + removed > 0)

/** Offers to load the files, and asks before. */
const Act = ({ plan, onLoad }: { readonly plan: Plan; readonly onLoad: () => void }) => {
  const { portfolioLoad: words } = useMessages()
  const [isAsking, setAsking] = useState(false)
  const present = useAnswer('portfolio', readPortfolio).answer?.data.name ?? ''
  if (!changesAnything(plan, present)) return <p className="notice">{words.same}</p>
  const { added = 0, removed = 0 } = plan.tables.find(({ table }) => table === 'organizations') ?? {}
  return (
    <div className="actions">
      <Button kind="primary" onPress={() => setAsking(true)}>
        {words.load}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={words.askTitle}
          confirm={words.load}
          isDangerous
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            onLoad()
          }}
        >
          <p>{words.ask(added, plan.organizationCount - added - removed, removed)}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** The errors of reviewed files, or what a load changes with the button that does it. */
const Reviewed = ({
  review,
  files,
  onLoad,
}: {
  readonly review: Review
  readonly files: ReadonlyArray<ChosenFile>
  readonly onLoad: (files: ReadonlyArray<ChosenFile>, fingerprint: string) => void
}) => {
  const { plan } = review
  if (plan === null) return <Faults {...review} />
  return (
    <>
      <PlanView plan={plan} />
      <Act plan={plan} onLoad={() => onLoad(files, plan.fingerprint)} />
    </>
  )
}

/** How far the server is with the images. It does not say so before the tables are read, nor where a proxy holds its answer back. */
const ServerSteps = ({ server }: { readonly server: ServerProgress | undefined }) => {
  const { portfolioLoad: words } = useMessages()
  if (server === undefined) return <progress className="server-steps" aria-label={words.reading} />
  const { step, done, of } = server
  return (
    <div className="server-steps">
      <progress max={of} value={done} aria-label={words.images[step]} />
      <p className="hint">{words.imagesDone(words.images[step], done, of)}</p>
    </div>
  )
}

const STEPS = ['choose', 'send', 'check', 'agree', 'load'] as const

const stepOf = (state: LoadState): (typeof STEPS)[number] => {
  if (state.step === 'checking') return state.share < 1 ? 'send' : 'check'
  if (state.step === 'reviewed') return state.review.plan === null ? 'check' : 'agree'
  return state.step === 'loading' ? 'load' : 'choose'
}

/** The steps of a load, with the present one marked. */
const Steps = ({ state }: { readonly state: LoadState }) => {
  const { portfolioLoad: words } = useMessages()
  const present = stepOf(state)
  return (
    <ol className="steps" aria-label={words.stepsLabel}>
      {STEPS.map((step) => (
        <li key={step} aria-current={step === present ? 'step' : undefined}>
          {words.steps[step]}
        </li>
      ))}
    </ol>
  )
}

/** Replaces the portfolio by that in files: choose, review, load. */
export const PortfolioLoadPage = () => {
  const { portfolio, portfolioLoad: words } = useMessages()
  const { state, choose, load } = useLoad(() => {
    changes.report()
    showToast({ text: words.loaded })
    goTo(at('/console/portfolio'))
  })
  const isBusy = state.step === 'checking' || state.step === 'loading'
  return (
    <div className="page">
      <BackLink href={at('/console/portfolio')} text={portfolio.title} />
      <h1>{words.title}</h1>
      <p>{words.lead}</p>
      <Steps state={state} />
      {!isBusy && <FileChooser onChoose={choose} />}
      <div role="status">
        {isBusy && (
          <div className="loading">
            <p>{words[state.share < 1 ? 'sending' : state.step](state.count)}</p>
            {state.share < 1 && <progress max={1} value={state.share} aria-label={words.progress} />}
          </div>
        )}
        {state.step === 'reviewed' && (
          <p className="visually-hidden">
            {state.review.plan === null
              ? words.faults(state.review.faultCount)
              : words.changes(state.review.plan.organizationCount)}
          </p>
        )}
      </div>
      {isBusy && state.share === 1 && <ServerSteps server={state.server} />}
      {state.step === 'failed' && <LoadProblem error={state.error} />}
      {state.step === 'reviewed' && <Reviewed review={state.review} files={state.files} onLoad={load} />}
    </div>
  )
}
