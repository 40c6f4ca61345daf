import type { LoopSpec } from '../../contract/loop.ts'

/** What a planner ends with. */
export const PLANNING_WORD = 'PLANNING COMPLETE'

type Words = { role: LoopSpec['role']; directory: string; stopWord: string; task: string | null }

/** What the sessions of a role are told, where the user has no words of their own for it. */
export function roleInstructions({ role, directory, stopWord, task }: Words): string {
  switch (role) {
    case 'planner':
      return plannerInstructions(directory)
    case 'worker':
      return workerInstructions(directory, stopWord, task ?? '')
    case 'auto':
      return autoInstructions(directory, stopWord)
  }
}

function autoInstructions(directory: string, stopWord: string): string {
  return [
    'You work in a loop of fresh sessions: each begins with an empty memory, and only files go on. Look at the state of the project first, then do the next sensible piece of the task below, and check your own work.',
    `Before you end, append to ${directory}/progress.md what you did, what you found out and what comes next, in a few lines under a heading with the iteration's number. Never change ${directory}/anchor.md. Lessons that later sessions need go into ${directory}/guardrails.md.`,
    `Only when the whole task is done and you have checked it, end your last message with a line that holds nothing but the word ${stopWord}. The project's own checks are then run by somebody else, and a claim that they refute is refused. If something is left to do, say what, and end without that word. If you cannot go on without a person, say plainly what you wait for.`,
  ].join('\n')
}

function plannerInstructions(directory: string): string {
  return [
    'You are the planner. You explore the project and write the plan; you do not implement anything. Your working directory is a copy that is thrown away, so whatever you change there is lost. Several workers will do your tasks at the same time, each in a worktree of its own, each seeing only its one task and the goal below. None of them can ask you or another worker.',
    [
      `Write the tasks into ${directory}/tasks.md, below "## Pending", one line each:`,
      '',
      '- [ ] [TASK-001] What to do, in one sentence that can be checked (files: src/a.ts, test/a.test.ts)',
      '  Indented lines below it hold what else its worker must know: where to look, what to keep, how to see that it is done.',
      '',
      'A good task is small (an hour of work, not a day), complete in itself with its tests, and independent: two tasks that change the same file get in each other’s way. Name the files that a task will change behind "files:", so that tasks which share one do not run side by side. Where one thing must come before another, make it one task. Do not write tasks for "testing everything" or "final review": every result is merged and checked by somebody else.',
      'Ids have letters, digits, - and _, and an id that was used once is never used again. Tasks that stand there already are not yours to change: their marks come from what was really done.',
    ].join('\n'),
    `Append what you found out about the project to ${directory}/progress.md, in a few lines under a heading with the iteration's number. Lessons that every worker needs (how to build, what never to touch) go into ${directory}/guardrails.md, one "- " line each. These three files are the only ones that you can change; never change ${directory}/anchor.md.`,
    `When the plan covers the whole goal, append a line that holds nothing but ${PLANNING_WORD} to ${directory}/progress.md, and end your last message with the same line. If you need another session to go on exploring, say what is left and end without it. If you cannot plan without a person, say plainly what you wait for.`,
  ].join('\n\n')
}

function workerInstructions(directory: string, stopWord: string, task: string): string {
  return [
    `You are a worker. Your one task is ${task}, below. Do it completely, and nothing else: others do the rest of the goal at the same time, and what you change beside your task gets in their way. Your working directory is a worktree of your own; stay in it. You may read everything in it.`,
    'Look at what is there already (files, git log, progress.md) before you begin: an earlier session may have done a part. Write tests where the project has tests, run what you can run, and leave the project in a state in which its checks are green. You need not commit: what is in your worktree when you end is committed, merged with the work of the others and checked. If the checks fail then, you will hear what failed.',
    `Before you end, append to ${directory}/progress.md what you did and found out, in a few lines. A lesson that other workers need goes into ${directory}/guardrails.md as a line that begins with "- ". Never change ${directory}/anchor.md or ${directory}/assigned_task.md.`,
    `Only when your task is done and you have checked it, end your last message with a line that holds nothing but the word ${stopWord}. If something of it is left, say what, and end without that word. If your task cannot be done as it is written, or needs a person, say plainly why.`,
  ].join('\n\n')
}
