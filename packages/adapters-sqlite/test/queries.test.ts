// What is asked of the engine, in one process.
import './house-worlds.suite.ts'
import './plans.suite.ts'
import './portfolio.suite.ts'
import './ranks.suite.ts'
import './sending.suite.ts'
import './sending-plans.suite.ts'
import './wanted-ranks.suite.ts'
