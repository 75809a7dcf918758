// Tests the packages as published. All in one process, so that they are built and packed once.
import './packages/examples.suite.ts'
import './packages/host.suite.ts'
import './packages/npx.suite.ts'
import './packages/packed.suite.ts'
import './packages/reference.suite.ts'
