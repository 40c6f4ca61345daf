import type { Requirement } from './requirement.ts'

const loopsPage = 'docs/loops.md'
const worktreesPage = 'docs/worktrees.md'

export const git: Requirement[] = [
  {
    id: 'git-state',
    where: worktreesPage,
    promise: 'We know what is checked out, uncommitted, and being in the middle of.',
  },
  {
    id: 'git-none',
    where: worktreesPage,
    promise: 'A directory without git is no error; a broken repository is, and is said.',
  },
  { id: 'git-untouched', where: loopsPage, promise: 'A checkpoint changes nothing of the user’s, to the byte.' },
  { id: 'git-whole-tree', where: loopsPage, promise: 'A checkpoint holds the whole working tree of the repository.' },
  {
    id: 'git-without-ours',
    where: loopsPage,
    promise: 'No commit of ours has a .rehoboam file that the user has not committed.',
  },
  {
    id: 'git-large-left-out',
    where: loopsPage,
    promise: 'Untracked files over 50 MB are left out of a checkpoint and named.',
  },
  { id: 'git-once', where: loopsPage, promise: 'A checkpoint of the same run and iteration is made once.' },
  {
    id: 'git-identity',
    where: loopsPage,
    promise: 'Checkpoints are in the user’s name, else in ours, and name their run.',
  },
  { id: 'git-no-hooks', where: loopsPage, promise: 'No hook runs and nothing is signed for a checkpoint.' },
  { id: 'git-hostile-names', where: worktreesPage, promise: 'Any file name and any path of a project is survived.' },
  {
    id: 'git-submodule',
    where: worktreesPage,
    promise: 'Submodules stay as they are linked; repositories inside are named.',
  },
  {
    id: 'git-moving-tree',
    where: loopsPage,
    promise: 'Files that change while a checkpoint runs do not make it fail.',
  },
  {
    id: 'git-leftovers',
    where: loopsPage,
    promise:
      'The next start waits for the git of a killed daemon, and removes what it left half made: worktrees, copies of an index, locks on refs of its runs.',
  },
  {
    id: 'git-refs',
    where: loopsPage,
    promise: 'A run’s checkpoints are listed, measured and dropped; nobody else’s are.',
  },
  {
    id: 'git-exclude',
    where: loopsPage,
    promise: 'Only runtime entries, by name, are kept from git, locally.',
  },
  {
    id: 'git-worktree',
    where: loopsPage,
    promise: 'A clean worktree holds exactly its checkpoint, new or used again.',
  },
  { id: 'git-worktree-not-ours', where: worktreesPage, promise: 'Only worktrees of ours are reset or removed.' },
  {
    id: 'git-restore',
    where: worktreesPage,
    promise: 'A checkpoint is restored beside the user’s work, never over it.',
  },
  {
    id: 'git-diff',
    where: worktreesPage,
    promise: 'What two checkpoints differ in is shown, bounded, running nothing.',
  },
  {
    id: 'git-work-branch',
    where: worktreesPage,
    promise: 'What is left in a worktree is committed on its branch, after what its agent committed, wherever it did.',
  },
  {
    id: 'git-work-untouched',
    where: worktreesPage,
    promise: 'The user’s branch, index, stash and tree are never touched by work in worktrees.',
  },
  {
    id: 'git-work-mended',
    where: worktreesPage,
    promise: 'A worktree that an agent broke is mended, and nothing that is in it is lost.',
  },
  {
    id: 'git-work-ahead',
    where: worktreesPage,
    promise: 'A worktree that was made ahead is brought to where its branch begins; one that holds work is left alone.',
  },
  { id: 'git-work-unborn', where: worktreesPage, promise: 'An unborn HEAD gets a root commit on our branch only.' },
  {
    id: 'git-merge',
    where: worktreesPage,
    promise: 'A merge is forecast without a checkout, and a branch is moved only from where it was forecast on.',
  },
  {
    id: 'git-bring-in',
    where: worktreesPage,
    promise: 'A conflict reaches a worker as marks in its files, and marks that stay are found.',
  },
  {
    id: 'git-release',
    where: worktreesPage,
    promise: 'Nothing is removed before its commits are on the result branch or kept under refs/rehoboam/.',
  },
]
