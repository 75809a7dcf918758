/**
 * Returns the number of the current event-loop iteration, which changes at each poll. Between two calls with the same result no request and no
 * message of another process can have arrived. `setImmediate` cannot detect this, because its callbacks may run past the next poll.
 */
export const turnOfLoop = (): number => performance.nodeTiming.uvMetricsInfo.loopCount
