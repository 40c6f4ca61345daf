import { describe, expect, test } from 'vitest'
import { type Guarded, refusalOf } from '../../src/core/pool/role-guard.ts'

const PLANNER: Guarded = {
  role: 'planner',
  directory: '/p/.rehoboam',
  root: '/state/worktrees/r-planner',
  cwd: '/state/worktrees/r-planner',
  home: '/home/joe',
  others: ['/state/worktrees', '/state/runs'],
}
const WORKER: Guarded = {
  ...PLANNER,
  role: 'worker',
  directory: '/state/worktrees/r.A/.rehoboam-worker-A',
  root: '/state/worktrees/r.A',
  cwd: '/state/worktrees/r.A',
  others: ['/state/worktrees', '/state/runs', '/p'],
}
const bash = (command: string) => ['Bash', { command }] as const
const write = (file_path: string) => ['Write', { file_path }] as const

describe('a planner reads and plans [role-planner]', () => {
  test.each([
    ['Read', { file_path: '/p/src/a.ts' }],
    ['Grep', { pattern: 'x' }],
    write('/p/.rehoboam/tasks.md'),
    ['Edit', { file_path: '/p/.rehoboam/progress.md' }],
    bash('ls -la && cat src/a.ts | head -20'),
    bash('git log --oneline -5; git diff HEAD~1'),
    bash("cat > /p/.rehoboam/tasks.md <<'END'\n- [ ] one\nEND"),
    bash('echo done >> "$REHOBOAM_LOOP_DIR/progress.md"'),
    bash('grep -rn x src 2>/dev/null | wc -l'),
    bash('find . -name "*.ts" | sort'),
  ] as const)('%s %j is fine', (tool, input) => {
    expect(refusalOf(PLANNER, tool, input)).toBeNull()
  })

  test.each([
    write('/state/worktrees/r-planner/src/a.ts'),
    write('src/a.ts'),
    write('/p/.rehoboam/anchor.md'),
    write('/p/.rehoboam/../src/a.ts'),
    ['NotebookEdit', { notebook_path: '/p/a.ipynb' }],
    ['Edit', {}],
    bash('echo x > src/a.ts'),
    bash('sed -i s/a/b/ src/a.ts'),
    bash('npm install'),
    bash('find . -delete'),
    bash('git commit -am x'),
    bash('cat $(touch x)'),
    bash('echo x | tee src/a.ts'),
    bash('eval "$CODE"'),
    bash('echo x > "$SOMEWHERE"'),
    bash('if then'),
    ['Bash', {}],
  ] as const)('%s %j is refused with a sentence', (tool, input) => {
    expect(refusalOf(PLANNER, tool, input)).toMatch(/^You are the planner: .*\/p\/\.rehoboam\/tasks\.md/)
  })
})

describe('a worker stays in its worktree [role-worker]', () => {
  test.each([
    write('/state/worktrees/r.A/src/a.ts'),
    write('src/a.ts'),
    write('/state/worktrees/r.A/.rehoboam-worker-A/progress.md'),
    write('/tmp/scratch.txt'),
    bash('npm test && git commit -am x'),
    bash('cat /p/src/a.ts'),
    bash('echo x > src/a.ts'),
  ] as const)('%s %j is fine', (tool, input) => {
    expect(refusalOf(WORKER, tool, input)).toBeNull()
  })

  test.each([
    write('/state/worktrees/r.B/src/a.ts'),
    write('../r.B/src/a.ts'),
    write('/p/.rehoboam/tasks.md'),
    write('/p/src/a.ts'),
    write('/state/runs/r/journal.ndjson'),
    write('/state/worktrees/r.A/.rehoboam-worker-A/anchor.md'),
    bash('echo x > /p/src/a.ts'),
    bash('cp src/a.ts ../r.B/src/a.ts'),
    bash('cd /p && rm -rf src'),
    bash('rm -rf /state/worktrees/r.B'),
  ] as const)('%s %j is refused with a sentence', (tool, input) => {
    expect(refusalOf(WORKER, tool, input)).toMatch(/^You are a worker: .*\/state\/worktrees\/r\.A/)
  })
})
