import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'

/** A button. `primary` marks the one main act of a page; `quiet` has no border. */
export const Button = ({
  kind = 'plain',
  ...props
}: ButtonProps & { readonly kind?: 'plain' | 'primary' | 'quiet'; readonly children: ReactNode }) => (
  <AriaButton {...props} className={`button ${kind}`} />
)
