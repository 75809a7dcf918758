import { TranslationPage } from '../../items/translation/translation-page.tsx'
import type { PageProps } from '../../session/match.ts'

const LibraryTranslationPage = ({ params }: PageProps) => <TranslationPage itemId={params['id'] ?? ''} />

export default LibraryTranslationPage
