// What is true of every engine. One process for all of it: starting one costs more than these suites.
import './chunks.suite.ts'
import './columns.suite.ts'
import './locks.suite.ts'
import './pending.suite.ts'
import './semaphore.suite.ts'
import './start.suite.ts'
import './compiled-query.suite.ts'
