import './tokens.suite.ts'
import './calls.suite.ts'
import './walking.suite.ts'
import './types.suite.ts'
