import { useState } from 'react'
import { useMessages, useSession } from '../../session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import { SelectField } from '../../ui/controls.tsx'
import { ConfirmDialog } from '../../ui/overlays.tsx'
import type { ContentType, Item, Label, Status } from '../items.ts'
import type { BulkAct } from './bulk.ts'

/** What a person may want to do with the selected items. */
export type Wish = Status | 'label'

/** The properties of the question before a bulk act. */
interface QuestionProps {
  readonly contentType: ContentType
  readonly wish: Wish
  readonly items: ReadonlyArray<Item>
  readonly labels: ReadonlyArray<Label>
  readonly onConfirm: (act: BulkAct) => void
  readonly onCancel: () => void
}

/** Asks before a bulk act: the question has the number of items, and names each of them. */
export const BulkQuestion = ({ contentType, wish, items, labels, onConfirm, onCancel }: QuestionProps) => {
  const { bulk } = useMessages()
  const { language } = useSession().session.manager
  const [labelId, setLabelId] = useState(labels[0]?.labelId ?? '')
  const [labelAct, setLabelAct] = useState<'attach' | 'detach'>('attach')
  const act: BulkAct =
    wish === 'label'
      ? { kind: 'label', labelId, isAttached: labelAct === 'attach' }
      : { kind: 'status', status: wish }
  const what = bulk.names[contentType](items.length)
  return (
    <ConfirmDialog
      title={bulk.questions[wish](what)}
      confirm={bulk.acting[wish === 'label' ? labelAct : wish]}
      onConfirm={() => onConfirm(act)}
      onCancel={onCancel}
    >
      {wish === 'label' && (
        <>
          <SelectField
            label={bulk.label}
            value={labelId}
            options={labels.map((label) => ({ value: label.labelId, label: label[language] }))}
            onChange={setLabelId}
          />
          <Choice
            label={bulk.labelAct}
            value={labelAct}
            options={(['attach', 'detach'] as const).map((value) => ({ value, label: bulk.acting[value] }))}
            onChange={(value) => setLabelAct(value as 'attach' | 'detach')}
          />
        </>
      )}
      <p id="bulk-named">{bulk.named}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul className="bulk-names" aria-labelledby="bulk-named" tabIndex={0}>
        {items.map(({ itemId, itemTitle, lang }) => (
          <li key={itemId} lang={lang}>
            {itemTitle}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
