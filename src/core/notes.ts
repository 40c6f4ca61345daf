/** Our own words to agents, beside their prompts and the words of others. Each sentence stands here once. */

const LOOK_FIRST = 'Look at the state of the project first (files, git status, git log)'
const GO_ON = `${LOOK_FIRST}, then go on from there.`
const LOST_TOOL = 'a tool that was running then is missing from this history.'
const DONE_BEFORE = 'What was done before is in your worktree; look at it first (git log, git status).'
const THEIRS = 'Their result is in your worktree now'
const FAILED = 'Below is what failed. Find out why, and fix the cause, not the check.'
const NO_MARK = 'Leave no mark of a conflict behind.'
const NEXT = 'A person says what has to be done next.'
const SEEN = 'What it changed is in your worktree. Look at it, and go on.'

/** Nothing but the prompt. Also for a session that a person opens in a pane and that was doing nothing. */
export const NO_NOTE = ''

// To any session.
export const CUT_OFF_NOTE = `You were cut off in the middle of your work, and ${LOST_TOOL} ${GO_ON}`
/** The client was killed before it wrote anything of the conversation down, so the session starts from the beginning. */
export const LOST_NOTE = `Work on this task was begun and cut off before anything of the conversation was kept. ${GO_ON}`
export const UNSIGNALLED_NOTE = `You ended your turn without calling signal-back, so nobody knows whether your work is done. ${LOOK_FIRST}, finish what is left, and then call signal-back.`
export const STUCK_NOTE = `You had said and done nothing for a long time, so you were ended; ${LOST_TOOL} ${LOOK_FIRST}, then go on from there, another way if something hung.`
export const LIMIT_NOTE = 'You were stopped by a limit of the account, which is over now. Go on where you were.'
export const TAKEN_OVER_NOTE = `This session was moved into a terminal in the middle of its work, and ${LOST_TOOL} A person may be watching. ${GO_ON}`
export const RESUMED_NOTE = `This run was stopped and is now resumed. ${GO_ON}`

// To those who follow others on the same work.
export const FRESH_NOTE = `An earlier session of this work was cut off again and again. ${GO_ON}`
export const LOST_MODEL_NOTE = `An earlier session of this work lost the model. ${GO_ON}`
export const GIVEN_BACK_NOTE = `An earlier worker gave this task back without finishing it. ${LOOK_FIRST}, then do what is left.`
export const CONTINUED_NOTE =
  'An earlier session of your role did a part of this and handed over. Below is what is done, and where to go on. What it did is in your worktree.'
export const STOPPED_NOTE = `The quest was stopped in the middle of your work and goes on now. ${GO_ON}`

// After checks and merges.
export const RED_NOTE = `The checks are red on what is in your worktree. ${FAILED}`
export const WHOLE_RED_NOTE = `Every step is in and reviewed, and the checks on the whole are red. ${FAILED}`
export const RED_MERGED_NOTE = `Your work was merged with what others did meanwhile, and then the checks were red. ${THEIRS}. ${FAILED}`
export const CONFLICT_NOTE = `Your work and what others did meanwhile meet in the same lines. ${THEIRS}, with the marks of the conflicts (<<<<<<<, =======, >>>>>>>) in the files named below. Resolve them so that both intentions hold. ${NO_MARK}`
export const CONFLICT_ANSWERED_NOTE = `A person was asked about the conflict of your work with that of others, and answered as below. ${THEIRS}. Do as the answer says. ${NO_MARK}`

// Of people.
export const ANSWERED_NOTE = 'A person has answered your question. Go on with the answer.'
export const WENT_ON_NOTE = `A person was asked, and answered as below. ${DONE_BEFORE}`
export const RETRY_NOTE = `A person wants this to be tried again. ${DONE_BEFORE}`
export const PLAN_REFUSED_NOTE =
  'A person has read your plan and does not approve it yet. Below is what they say. Change the plan with set-steps, then signal complete.'

// To those who plan.
export const MORE_TASKS_NOTE = `${NEXT} Write tasks for it, with new ids.`
export const MORE_STEPS_NOTE = `${NEXT} Plan steps for it, with new ids, then signal complete.`
export const JUDGED_NOTE =
  'Every task of your plan is done and merged, and a judge has looked at the whole. It says that something is missing. Look at what it says below, and write tasks for what is left, with new ids.'
export const RESPLIT_NOTE =
  'The checks of one step stay red, however often it is fixed. Below is that step, and what fails. It is probably too large, or planned wrongly. Plan it again: split it, rewrite it, or drop it and put other steps in its place. Its branch keeps what was done. Then signal complete.'
export const REPLANNED_NOTE = `The checks of this step stayed red, so the plan was looked at again. Read your step below: it may say something else now. ${DONE_BEFORE}`

// From one role to another.
export const FOLLOWED_UP_NOTE = `The role that you asked for a follow-up has done its work. Below is what it said of it. ${SEEN}`
export const FOLLOW_UP_NOTE =
  'Another role asks you for a follow-up. Below is what it wants and why. Do that, and nothing else; then signal complete, and say in the summary what came of it.'
export const GAPS_NOTE =
  'The Siegemaster has attacked this step and found gaps. Below is what it found. Close them, with tests that fail without your change; then signal complete.'
export const FINDINGS_NOTE =
  'The final review of the whole branch has found what is below. Fix it in your worktree, which holds the whole result; then signal complete, and say for each finding what you did.'
export const REVIEW_AGAIN_NOTE =
  'The result has changed since the last review: what it found was fixed. Your worktree holds the result as it is now. Review the whole again.'
