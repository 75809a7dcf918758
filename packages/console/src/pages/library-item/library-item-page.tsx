import { EditorPage } from '../../items/editor/editor-page.tsx'
import { itemIdOf } from '../../items/items.ts'
import type { PageProps } from '../../session/match.ts'

const LibraryItemPage = ({ params }: PageProps) => (
  <EditorPage contentType="library" itemId={itemIdOf(params['id'])} />
)

export default LibraryItemPage
