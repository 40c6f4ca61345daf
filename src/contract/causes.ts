/** Why a run stands where it stands: one closed list, each with the sentence a person reads. */
export const CAUSES = {
  finished: 'the session ended its turn without an error',
  closed: 'its user closed the session',
  cancelled: 'somebody cancelled it',
  'paused-by-user': 'somebody paused it',
  'needs-environment': 'the daemon was restarted and credentials that the run was started with are gone',
  'project-missing': 'its project directory is missing',
  'client-missing': 'the client program could not be started',
  'session-busy': 'somebody has this session open elsewhere',
  'client-refused': 'the client ended before the session began',
  'client-error': 'the session ended with an error',
  crashed: 'the session was cut off again and again',
  stuck: 'the session said and did nothing for a long time, twice',
  limit: 'the account has reached a rate or usage limit',
  overloaded: 'the model was overloaded',
  outage: 'the model could not be reached, or answered that it is down',
  auth: 'nobody is logged in, or the credentials were refused; start claude in a terminal and type /login there, or set a key that is valid, then rehoboam resume it',
  'api-error': 'the model answered with an error',
  'max-cost': 'it reached its cost limit',
  unpriced:
    'nobody knows the price of its model, so that its cost limit cannot be kept; rehoboam config set prices "<model>=<input>/<output>" names it (USD per million tokens), then rehoboam daemon stop',
  'max-time': 'it reached its time limit',
  'stop-word': 'an agent said the stop word',
  promise: 'an agent gave its promise',
  judged: 'the judge says that it is done',
  'base-still-red': 'it claims to be done; the checks that still fail failed before it began',
  rejected: 'somebody rejected it',
  'anchor-changed': 'an agent changed the anchor for the third time',
  'max-iterations': 'it reached its last iteration',
  'same-end': 'five iterations ended with the same words and nothing moved',
  'ledger-unmoved': 'nothing moved: no file, no check, no task, no criterion',
  'refused-claims': 'it claimed three times to be done while the checks were red',
  'red-base': 'it claimed three times to be done while the checks that failed before it began fail as before',
  'same-error': 'the same error came again and again',
  'judged-stalled': 'the judge says that it does not get further',
  'waits-for-person': 'an agent says that it waits for a person',
  'ward-could-not-run': 'the checks could not be run',
  'taken-over': 'a person types in its pane',
  question: 'something asks for a person, and questions are not wanted',
  'git-busy': 'the repository is in the middle of something (a rebase, a merge)',
  planned: 'its plan is written',
  'empty-plan': 'the planner says that it is done, and there is no task to do',
  merged: 'every task is merged',
  'not-started': 'it could not be started',
  'tasks-left': 'tasks are left that no worker could do',
  conflict: 'work of two tasks meets in the same lines, and a person has to say how it goes on',
} as const

/** Here, because commands that only draw load no schemas. */
export const ENDED_STATUSES = ['complete', 'stalled', 'failed', 'cancelled', 'over-budget'] as const

/** Of a run that ended all the same. */
export const NOT_KEPT =
  'what its last session left in the tree could not be kept as a checkpoint; it is still in the tree'
