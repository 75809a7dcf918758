import './console-copies.suite.ts'
import './console-desk.suite.ts'
import './console-readers.suite.ts'
import './console-security.suite.ts'
