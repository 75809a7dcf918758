import { HistoryPage } from '../../items/history/history-page.tsx'
import type { PageProps } from '../../session/match.ts'

const LibraryHistoryPage = ({ params }: PageProps) => (
  <HistoryPage contentType="library" itemId={params['id'] ?? ''} />
)

export default LibraryHistoryPage
