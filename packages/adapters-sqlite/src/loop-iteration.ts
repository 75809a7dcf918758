/**
 * The number of the event loop's present turn, which is another one as soon as the loop looks for what has arrived: between two calls that
 * give the same nothing can have been received, be it a request or word of what another process has written. `setImmediate` does not tell
 * that, as what it calls may begin something that lasts beyond the next arrival.
 */
export const turnOfLoop = (): number => performance.nodeTiming.uvMetricsInfo.loopCount
