import type { Requirement } from './requirement.ts'

const where = 'docs/loops.md'

/** The machine of a loop, and what it drives. */
export const loops: Requirement[] = [
  {
    id: 'loop-endings',
    where,
    promise: 'Every ending of a loop is reached by its own scenario and by no other.',
  },
  {
    id: 'loop-whole-endings',
    where,
    promise: 'Through the whole program, too, each ending is reached by its own scenario.',
  },
  {
    id: 'loop-unpriced',
    where: 'docs/quests.md',
    promise: 'In a pane, a model without a known price pauses a run that has a cost limit; configuration may name it.',
  },
  {
    id: 'loop-editor',
    where,
    promise: 'A loop without a prompt and without an unused anchor is written in the user’s editor, on a terminal.',
  },
  { id: 'loop-resume', where, promise: 'Resuming an ended loop gives it its counters and limits anew.' },
  { id: 'loop-answer', where, promise: 'The answer to a blocked loop goes into its next prompt.' },
  {
    id: 'loop-blocked',
    where,
    promise: 'A blocked loop is a question in the inbox that survives a kill; its answer goes into the next prompt.',
  },
  {
    id: 'loop-clock-stops',
    where: 'docs/quests.md',
    promise: 'While a loop waits for a person, its time limit stands still.',
  },
  { id: 'loop-tell', where, promise: 'What people say to a loop is in its next prompt, once.' },
  {
    id: 'loop-reject',
    where,
    promise: 'A rejected loop ends after its current iteration, also one that fails; while that is checked, at once.',
  },
  {
    id: 'loop-max-time',
    where,
    promise: 'A loop whose time is up ends, also when its session is being ended for another reason just then.',
  },
  {
    id: 'loop-end-kept',
    where,
    promise: 'However a loop ends, what its last session left in the tree is a checkpoint first.',
  },
  { id: 'loop-cancel', where, promise: 'A cancelled loop ends its session, then itself.' },
  {
    id: 'loop-runs',
    where,
    promise: 'A loop runs fresh sessions one after the other and ends complete on the iteration whose ward is green.',
  },
  {
    id: 'loop-files',
    where,
    promise: 'The loop directory holds the files that the spec names, as it names them.',
  },
  {
    id: 'loop-proof',
    where,
    promise: 'A claim is proven by the project’s own checks on the checkpoint in a clean worktree.',
  },
  {
    id: 'loop-worth',
    where,
    promise: 'An end that is complete says what the claim is worth, and why it is not proven, wherever it is told.',
  },
  {
    id: 'loop-checks-not-run',
    where,
    promise: 'Checks that cannot be run refuse no claim: the loop asks in the inbox, and says why they could not.',
  },
  {
    id: 'loop-tampered',
    where,
    promise:
      'Checks that an agent made green by changing, deleting or skipping them are no proof, and the inbox gets that diff.',
  },
  {
    id: 'loop-refused',
    where,
    promise:
      'A claim that the checks refute is refused; the next prompt, the command that waits and `show` name what failed.',
  },
  {
    id: 'loop-judge-model',
    where,
    promise: 'The model judge decides with evidence for each criterion, reads only, and makes no agent appear.',
  },
  {
    id: 'loop-random-kill',
    where,
    promise: 'Whatever is killed and when, no iteration of a loop is lost, repeated, or run twice at the same time.',
  },
  {
    id: 'loop-power-cut',
    where,
    promise:
      'After a power cut every closed iteration has its checkpoint, what was acknowledged is there, and loops go on.',
  },
  {
    id: 'loop-killed',
    where,
    promise:
      'Daemon, supervisor, client and tmux server are killed, alone or together, and a loop ends as if nothing had happened.',
    provenBy: 'both',
  },
  {
    id: 'loop-works-active',
    where,
    promise: 'A loop works only while it is active, and with its time limit running.',
  },
  { id: 'loop-one-session', where, promise: 'A loop has at most one session at a time.' },
  { id: 'loop-numbers', where, promise: 'Iterations are counted upwards, and each is closed once.' },
  {
    id: 'loop-cost',
    where,
    promise: 'What a loop has cost is never lost, counted twice, or less than before.',
  },
  { id: 'loop-ends-itself', where, promise: 'A model that says "continue" for ever ends by itself.' },
  {
    id: 'loop-checkpoints',
    where,
    promise: 'diff, restore and prune work on checkpoints, and touch nothing of the user’s.',
  },
  {
    id: 'loop-advice',
    where,
    promise: 'What restore, merge, prune and the last line of a loop say to type works as it is typed.',
  },
  {
    id: 'loop-verdict-wrong',
    where,
    promise: 'Any verdict can be marked wrong, and is shown so.',
  },
  { id: 'loop-role', where, promise: 'A role that is not known is refused by name.' },
]
