import { type ComponentType, lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import { NotFoundPage, pageOf, titleOf } from '../pages/index.ts'
import type { PageProps } from '../pages/match.ts'
import { useMessages } from './session.tsx'

const components = new Map<string, ComponentType<PageProps>>()

/** Returns the component of a page, whose script is loaded when it is first shown. */
const componentOf = (name: string, load: () => Promise<{ readonly default: ComponentType<PageProps> }>) => {
  const known = components.get(name)
  if (known !== undefined) return known
  const component = lazy(load)
  components.set(name, component)
  return component
}

/** Shows the page of a path. Moves the focus to it when another page opens, as a new document would. */
export const PageOutlet = ({ path }: { readonly path: string }) => {
  const messages = useMessages()
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const match = useMemo(() => pageOf(path), [path])
  const Page = match === undefined ? NotFoundPage : componentOf(match.page.name, match.page.load)
  const key = match?.page.keepsState ? match.page.name : path
  useEffect(() => {
    document.title = titleOf(match?.page.name, messages)
  }, [match, messages])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when another page opens, and only then
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else main.current?.focus()
  }, [key])
  return (
    <main id="main" ref={main} tabIndex={-1}>
      <Suspense fallback={<p className="loading">{messages.loading}</p>}>
        <Page key={key} params={match?.params ?? {}} />
      </Suspense>
    </main>
  )
}
