// `node makes-worktree.ts <commit> <path>`: makes a worktree of the repository in which it is started, to be killed meanwhile.
import { gitRepository } from '../../src/adapters/git/git-repository.ts'

const [commit, path] = process.argv.slice(2) as [string, string]
await gitRepository(process.env).cleanWorktree({ repository: process.cwd(), commit, path, keep: [] })
