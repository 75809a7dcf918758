import { makeSenderMismatchDetector, type SenderMismatchDetector } from '../sender-mismatch.ts'

/** More origins than push services have. */
const MOST_ORIGINS = 500

/** Whether it is us who are refused is found out for each push service; one that has not been asked for long is forgotten. */
export const makeDetectorsByOrigin = (): ((origin: string) => SenderMismatchDetector) => {
  const kept = new Map<string, SenderMismatchDetector>()
  return (origin) => {
    const detector = kept.get(origin) ?? makeSenderMismatchDetector()
    kept.delete(origin)
    kept.set(origin, detector)
    const [oldest = origin] = kept.keys()
    if (kept.size > MOST_ORIGINS) kept.delete(oldest)
    return detector
  }
}
