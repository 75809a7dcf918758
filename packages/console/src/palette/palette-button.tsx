import { lazy, Suspense, useEffect, useState } from 'react'
import { goTo } from '../app/router.ts'
import { useMessages } from '../app/session.tsx'
import { useShortcuts } from '../app/use-shortcuts.ts'
import { at } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/keys.tsx'

const load = () => import('./palette.tsx')
const Palette = lazy(load)

/** Milliseconds after which the palette is loaded in any case, so that it takes the first key that is typed into it. */
const SOON = 1000

/** Opens the palette, by a button or by its keys. Its script is loaded after that of the page. */
export const PaletteButton = () => {
  const { palette } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => {}), SOON)
    return () => clearTimeout(timer)
  }, [])
  useShortcuts('everywhere', { palette: open, shortcuts: () => goTo(at('/console/shortcuts')) })
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
