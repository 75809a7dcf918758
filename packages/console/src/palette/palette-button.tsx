import { lazy, Suspense, useState } from 'react'
import { goTo } from '../app/router.ts'
import { useMessages } from '../app/session.tsx'
import { useShortcuts } from '../app/use-shortcuts.ts'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/keys.tsx'

const Palette = lazy(() => import('./palette.tsx'))

/** Opens the palette, by a button or by its keys. Its script is loaded when it is first opened. */
export const PaletteButton = () => {
  const { palette } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useShortcuts('everywhere', { palette: open, shortcuts: () => goTo('/console/shortcuts') })
  return (
    <>
      <button type="button" className="palette-button" onClick={open}>
        <Icon name="search" />
        <span>{palette.button}</span>
        <Keys area="everywhere" name="palette" />
      </button>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
