import { Group } from 'react-aria-components/Group'
import { useOnce } from '../../session/answers.ts'
import { goTo } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { BackLink, Button } from '../../ui/controls.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SaveState } from '../editor/editor-actions.tsx'
import { pathOf } from '../items.ts'
import { LinkExisting } from './link-existing.tsx'
import { OriginalChanges } from './original-changes.tsx'
import { LANGUAGES, linkTranslation, loadPair, otherOf, type Pair, type Side } from './pair-api.ts'
import { SharedFields } from './shared-fields.tsx'
import { SideColumn } from './side-column.tsx'
import { usePair } from './use-pair.ts'

const TranslationEditor = ({
  itemId,
  pair: start,
  onLinked,
}: {
  readonly itemId: string
  readonly pair: Pair
  readonly onLinked: () => void
}) => {
  const { translation: words, library } = useMessages()
  const pair = usePair(start)
  const { sides, isBusy, isLinked } = pair
  const copies = LANGUAGES.map((side) => sides[side].copy)
  const copy =
    copies.find((state) => state === 'failed') ?? copies.find((state) => state !== 'none') ?? 'none'
  const savedOf = (side: Side) => sides[side].editor.state.saved?.item
  const act = (name: 'save' | 'publish') => () => {
    if (!isBusy) void pair.saveBoth(name)
  }
  const link = (side: Side, counterpartId: string) => {
    const { editor } = sides[otherOf(side)]
    void linkTranslation(itemId, counterpartId).then(onLinked, editor.fail)
  }
  /** What the original has changed since a translation was saved. */
  const changesFor = (side: Side) => {
    const [here, there] = [savedOf(side), savedOf(otherOf(side))]
    if (here === undefined || there === undefined || pair.stateOf(side) !== 'older') return null
    return <OriginalChanges original={there} since={here.updatedAt} />
  }
  const linkFor = (side: Side) =>
    savedOf(side) === undefined && <LinkExisting side={side} onLink={(id) => link(side, id)} />
  return (
    <div className="page translation">
      <BackLink href={pathOf('library', itemId)} text={library.edit} />
      <div className="page-head">
        <h1>{words.title}</h1>
        {isLinked && (
          <Button kind="quiet" onPress={pair.unlink}>
            {words.unlink}
          </Button>
        )}
      </div>
      <form className="translation-form" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="sides">
          {LANGUAGES.map((side) => (
            <SideColumn
              key={side}
              side={side}
              editor={sides[side].editor}
              state={pair.stateOf(side)}
              before={changesFor(side)}
              after={linkFor(side)}
            />
          ))}
        </div>
        <SharedFields pair={pair} />
      </form>
      <Group className="editor-actions" aria-label={words.acts}>
        <SaveState isBusy={isBusy} copy={copy} />
        <Button onPress={act('save')}>{words.save}</Button>
        <Button kind="primary" onPress={act('publish')}>
          {words.publish}
        </Button>
      </Group>
    </div>
  )
}

/** A publication in English and French, side by side, with one image and one date (J7). */
export const TranslationPage = ({ itemId }: { readonly itemId: string }) => {
  const messages = useMessages()
  const { data, error, retry } = useOnce(`pair ${itemId}`, async () => ({ pair: await loadPair(itemId) }))
  if (error !== undefined) return <Problem error={error} onRetry={retry} />
  if (data === undefined) return <p className="loading">{messages.loading}</p>
  if (data.pair === undefined) {
    goTo(pathOf('library', itemId), 'replace')
    return null
  }
  return <TranslationEditor itemId={itemId} pair={data.pair} onLinked={retry} />
}
