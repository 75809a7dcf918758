import { useState } from 'react'
import { useMessages } from '../session/session.tsx'
import { SelectField } from '../ui/controls.tsx'
import { ConfirmDialog } from '../ui/overlays.tsx'
import type { Client } from './clients-api.ts'

/** The seconds for which the earlier secret can still work. */
const OVERLAPS = { none: 0, hour: 3600, day: 24 * 3600, week: 7 * 24 * 3600 } as const
type Overlap = keyof typeof OVERLAPS

/** Asks for how long the earlier secret of a client still works. */
export const RotateDialog = ({
  client,
  onRotate,
  onCancel,
}: {
  readonly client: Client
  readonly onRotate: (keepOld: number) => void
  readonly onCancel: () => void
}) => {
  const { clients: words } = useMessages()
  const [overlap, setOverlap] = useState<Overlap>('day')
  const options = (Object.keys(OVERLAPS) as ReadonlyArray<Overlap>).map((value) => ({
    value,
    label: words.keep[value],
  }))
  return (
    <ConfirmDialog
      title={words.rotateTitle(client.name)}
      confirm={words.rotateConfirm}
      onConfirm={() => onRotate(OVERLAPS[overlap])}
      onCancel={onCancel}
    >
      <p>{words.rotateText}</p>
      <SelectField
        label={words.keepOld}
        value={overlap}
        options={options}
        onChange={(value) => setOverlap(value as Overlap)}
      />
    </ConfirmDialog>
  )
}
