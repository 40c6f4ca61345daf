/** What sessions of a quest are told beside their role, their step and texts by reference. */

export const BEGIN = ''

export const CONTINUED =
  'An earlier session of your role did a part of this and handed over. Below is what is done, and where to go on. What it did is in your worktree.'

export const ANSWERED = 'A person has answered your question. Go on with the answer.'

export const FOLLOWED_UP =
  'The role that you asked for a follow-up has done its work. Below is what it said of it. What it changed is in your worktree. Look at it, and go on.'

export const FOLLOW_UP =
  'Another role asks you for a follow-up. Below is what it wants and why. Do that, and nothing else; then signal complete, and say in the summary what came of it.'

export const GAPS =
  'The Siegemaster has attacked this step and found gaps. Below is what it found. Close them, with tests that fail without your change; then signal complete.'

export const FINDINGS =
  'The final review of the whole branch has found what is below. Mend it in your worktree, which holds the whole result; then signal complete, and say for each finding what you did.'

export const RED =
  'The checks are red on what stands in your worktree. Below is what failed. Find out why, mend the cause and not the check, and signal complete.'

export const RED_MERGED =
  'This step was merged with what others did meanwhile, and then the checks were red. The result of the others is in your worktree now. Below is what failed. Find out why, mend the cause and not the check, and signal complete.'

export const CONFLICT =
  'This step and what others did meanwhile meet in the same lines. Their result is in your worktree now, with the marks of the conflicts (<<<<<<<, =======, >>>>>>>) in the files named below. Resolve them so that both intentions hold, leave no mark behind, and signal complete.'

export const RESPLIT =
  'The checks of one step stay red, however often it is mended. Below is that step, and what fails. It is probably too large, or planned wrongly. Plan it anew: split it, write it anew, or drop it and put other steps in its place. Its branch keeps what was done. Then signal complete.'

export const PLANNED_ANEW =
  'The checks of this step stayed red, so the plan was looked at again. Read your step below: it may say something else now. What was done before is in your worktree; look at it first.'

export const WHOLE_RED =
  'Every step is in and reviewed, and the checks on the whole are red. Below is what failed. Mend the cause and not the check, and signal complete.'

export const FRESH =
  'An earlier session of your role was cut off again and again. Look at the state of your worktree first (files, git status, git log), then go on.'

export const RETRY =
  'A person wants this to be tried again. What was done before is in your worktree; look at it first (git log, git status).'

export const WENT_ON =
  'A person was asked, and answered as below. What was done before is in your worktree; look at it first.'

export const STOPPED =
  'The quest was stopped in the middle of your work and goes on now. Look at the state of your worktree first (files, git status), then go on.'

export const REVIEW_AGAIN =
  'The result has changed since the last review: what it found was mended. Your worktree holds the result as it is now. Review the whole again.'

export const PLAN_REFUSED =
  'A person has read your plan and does not approve it yet. Below is what they say. Change the plan with set-steps, then signal complete.'

export const TOLD = 'A person says what has to be done next. Plan steps for it, with new ids, then signal complete.'
