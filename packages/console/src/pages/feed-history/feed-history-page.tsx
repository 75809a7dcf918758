import { HistoryPage } from '../../items/history/history-page.tsx'
import type { PageProps } from '../../session/match.ts'

const FeedHistoryPage = ({ params }: PageProps) => (
  <HistoryPage contentType="feed" itemId={params['id'] ?? ''} />
)

export default FeedHistoryPage
