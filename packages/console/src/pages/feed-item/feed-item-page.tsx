import { EditorPage } from '../../items/editor/editor-page.tsx'
import type { PageProps } from '../index.ts'

const FeedItemPage = ({ params }: PageProps) => <EditorPage contentType="feed" itemId={params['id']} />

export default FeedItemPage
