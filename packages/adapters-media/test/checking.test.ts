// What becomes of images that are sent, in one process.
import './checked.suite.ts'
import './gate.suite.ts'
import './image-checker-contract.suite.ts'
import './memory.suite.ts'
import './portfolio-image-checker.suite.ts'
import './quality.suite.ts'
import './robustness.suite.ts'
import './truncation.suite.ts'
