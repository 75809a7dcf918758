import { EditorPage } from '../../items/editor/editor-page.tsx'
import type { PageProps } from '../index.ts'

const LibraryItemPage = ({ params }: PageProps) => <EditorPage contentType="library" itemId={params['id']} />

export default LibraryItemPage
