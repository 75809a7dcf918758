import type { DemoLibraryItem } from './content.ts'
import { library2025 } from './library-2025.ts'
import { library2026 } from './library-2026.ts'

/** The publications of the Merrivane Foundation, which exists nowhere but here; oldest first. */
export const demoLibrary: readonly DemoLibraryItem[] = [...library2025, ...library2026]
