// What tells of a running service, and of commands that run: starting a process for each takes longer than their tests.
import './metrics.suite.ts'
import './launched-serve.suite.ts'
import './progress.suite.ts'
import './stats.suite.ts'
import './watched.suite.ts'
