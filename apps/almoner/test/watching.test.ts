// Monitoring of services and commands. One process for all suites: starting one takes longer than their tests.
import './metrics.suite.ts'
import './launched-serve.suite.ts'
import './progress.suite.ts'
import './audit.suite.ts'
import './stats.suite.ts'
import './instrumented.suite.ts'
