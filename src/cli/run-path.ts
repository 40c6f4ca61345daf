import { RehoboamError } from '../contract/errors.ts'

/** Where the daemon has a run. What cannot be the id of one is not even asked for: a dot would be another address. */
export function runPath(id: string, more = ''): string {
  if (!/^[a-z0-9]{1,8}(?:\.[A-Za-z0-9_-]{0,64})?$/.test(id)) {
    throw new RehoboamError('run-unknown', `there is no run "${id}"; rehoboam runs lists them`)
  }
  return `/v1/runs/${id}${more}`
}
