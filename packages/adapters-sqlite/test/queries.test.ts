// Tests of the queries to the engine, in one process.
import './fixed-recipients.suite.ts'
import './transfer-fixtures.suite.ts'
import './plans.suite.ts'
import './portfolio.suite.ts'
import './offset-index.suite.ts'
import './sending-plans.suite.ts'
import './sending.suite.ts'
import './visibility.suite.ts'
