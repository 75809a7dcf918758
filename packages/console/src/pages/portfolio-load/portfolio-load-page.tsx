import { useState } from 'react'
import { at } from '../../paths.ts'
import type { ChosenFile } from '../../portfolio/load/chosen-files.ts'
import { Faults } from '../../portfolio/load/faults.tsx'
import { FileChooser } from '../../portfolio/load/file-chooser.tsx'
import type { Plan, Review } from '../../portfolio/load/load-api.ts'
import { LoadProblem } from '../../portfolio/load/load-problem.tsx'
import { changesAnything, PlanView } from '../../portfolio/load/plan.tsx'
import { useLoad } from '../../portfolio/load/use-load.ts'
import { readPortfolio } from '../../portfolio/portfolio-api.ts'
import { changes, useAnswer } from '../../session/answers.ts'
import { goTo } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { BackLink, Button } from '../../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../../ui/overlays.tsx'

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
      {!isBusy && <FileChooser onChoose={choose} />}
      <div role="status">
        {isBusy && (
          <div className="loading">
            <p>{words[state.step](state.count)}</p>
            <progress max={1} {...(state.share < 1 && { value: state.share })} aria-label={words.progress} />
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
      {state.step === 'failed' && <LoadProblem error={state.error} />}
      {state.step === 'reviewed' && <Reviewed review={state.review} files={state.files} onLoad={load} />}
    </div>
  )
}
