// Ends what tests that were interrupted left: `node test/support/end-homes.ts <where their homes are noted>`.
import { endNotedHomes } from './temp-home.ts'

await endNotedHomes(process.argv[2]!)
