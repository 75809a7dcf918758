import { useEffect, useState } from 'react'
import { Checkbox, CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label as FieldLabel } from 'react-aria-components/Label'
import { useAnswer } from '../../session/answers.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import type { ContentType } from '../items.ts'
import { attachLabel, detachLabel, listLabels, readLabels } from '../items-api.ts'

/** The labels of an item: all labels as check boxes. They are attached at once. */
export const LabelPicker = ({
  selected,
  onChange,
}: {
  readonly selected: ReadonlyArray<string>
  readonly onChange: (selected: ReadonlyArray<string>) => void
}) => {
  const { editor } = useMessages()
  const { language } = useSession().session.manager
  const labels = useAnswer('labels', listLabels).answer?.data ?? []
  return (
    <CheckboxGroup className="labels" value={[...selected]} onChange={onChange}>
      <FieldLabel>{editor.labels}</FieldLabel>
      <div className="label-options">
        {labels.map((label) => (
          <Checkbox key={label.labelId} value={label.labelId} className="label-option">
            {label[language]}
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  )
}

/** The labels of the item of an editor. */
interface ItemLabels {
  readonly selected: ReadonlyArray<string>
  /** Attaches or detaches labels at once; those of a new item wait until it is created. */
  readonly change: (next: ReadonlyArray<string>) => Promise<void>
  /** Attaches the labels that waited. */
  readonly attachWaiting: (itemId: string) => Promise<void>
}

/** Returns the labels of an item, or the labels that a new item will get: at first those of its working copy. */
export const useLabels = (
  contentType: ContentType,
  itemId: string | undefined,
  start: ReadonlyArray<string> = [],
): ItemLabels => {
  const [selected, setSelected] = useState(start)
  const [startId] = useState(itemId)
  useEffect(() => {
    if (startId === undefined) return
    const controller = new AbortController()
    readLabels(contentType, startId, controller.signal).then(setSelected, () => {})
    return () => controller.abort()
  }, [contentType, startId])
  return {
    selected,
    change: async (next) => {
      const before = selected
      setSelected(next)
      if (itemId === undefined) return
      const added = next.filter((id) => !before.includes(id))
      const removed = before.filter((id) => !next.includes(id))
      try {
        for (const id of added) await attachLabel(contentType, itemId, id)
        for (const id of removed) await detachLabel(contentType, itemId, id)
      } catch (error) {
        setSelected(before)
        throw error
      }
    },
    attachWaiting: async (id) => {
      for (const labelId of selected) await attachLabel(contentType, id, labelId)
    },
  }
}
