import { forgetProcessState } from '#lib/platform/process-state.ts'

// Before each test file: several run in one process, and none may meet what another has left in its memory.
forgetProcessState()
