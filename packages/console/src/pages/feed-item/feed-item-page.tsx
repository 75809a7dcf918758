import { EditorPage } from '../../items/editor/editor-page.tsx'
import { itemIdOf } from '../../items/items.ts'
import type { PageProps } from '../../session/match.ts'

const FeedItemPage = ({ params }: PageProps) => (
  <EditorPage contentType="feed" itemId={itemIdOf(params['id'])} />
)

export default FeedItemPage
