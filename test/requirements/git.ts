import type { Requirement } from './requirement.ts'

const loopsPage = 'docs/loops.md'
const worktreesPage = 'docs/worktrees.md'

export const git: Requirement[] = [
  {
    id: 'git-state',
    where: worktreesPage,
    promise:
      'We know what is checked out, uncommitted and in progress. A directory without git is no error, and a broken repository is said.',
  },
  {
    id: 'git-untouched',
    where: loopsPage,
    promise: 'A checkpoint changes nothing of the user’s, to the byte, runs no hook and signs nothing.',
  },
  {
    id: 'git-whole-tree',
    where: loopsPage,
    promise:
      'A checkpoint holds the whole working tree of the repository, whatever its files are called and while they change.',
  },
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
  {
    id: 'git-submodule',
    where: worktreesPage,
    promise: 'Submodules stay as they are linked; repositories inside are named.',
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
    promise: 'A clean worktree holds exactly its checkpoint, and only worktrees of ours are reset or removed.',
  },
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
    promise:
      'What is left in a worktree is committed on its branch, after what its agent committed. Before the first commit that branch begins with the files.',
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
  {
    id: 'git-merge',
    where: worktreesPage,
    promise:
      'A merge is forecast without a checkout and moves a branch only from there. A conflict reaches its worker as marks in the files.',
  },
  {
    id: 'git-release',
    where: worktreesPage,
    promise: 'Nothing is removed before its commits are on the result branch or kept under refs/rehoboam/.',
  },
]
