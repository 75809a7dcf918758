// Tests the packages as published. All in one process, so that they are built and packed once. It takes longest of all files on one core,
// so it lies where tap, which sorts by path, starts it early.
import '../../../test/packages/examples.suite.ts'
import '../../../test/packages/host.suite.ts'
import '../../../test/packages/npx.suite.ts'
import '../../../test/packages/packed.suite.ts'
import '../../../test/packages/reference.suite.ts'
