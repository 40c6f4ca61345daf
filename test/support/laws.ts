import fc from 'fast-check'

// The same cases every time: a case that fails one time in a thousand must fail whoever wrote it, not whoever comes later.
// Others are tried with LAWS_SEED=<any number>.
fc.configureGlobal({ seed: Number(process.env.LAWS_SEED ?? 20_261_116) })

export default fc
