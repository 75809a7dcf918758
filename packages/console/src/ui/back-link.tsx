import { Icon } from './icon.tsx'

/** The link at the head of a page to the page above it. */
export const BackLink = ({ href, text }: { readonly href: string; readonly text: string }) => (
  <p className="back">
    <a href={href}>
      <Icon name="previous" />
      {text}
    </a>
  </p>
)
