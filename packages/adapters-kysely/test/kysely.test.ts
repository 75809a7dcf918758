// Tests for every engine. One process for all suites, because starting one takes longer than they do.
import './chunks.suite.ts'
import './columns.suite.ts'
import './earlier-schemas.suite.ts'
import './locks.suite.ts'
import './pending.suite.ts'
import './semaphore.suite.ts'
import './start.suite.ts'
import './query.suite.ts'
