// Whole collections, as they go out piece by piece. One process for all of it: starting one costs more than most of these suites.
import './library-stream.suite.ts'
import './notifications-stream.suite.ts'
