/** Set by `npm run test:all`: the real client wherever a test takes either, all kill stories, all random cases. */
export const PLAYS_ALL = process.env.TEST_ALL === '1'
