import { describe, expect, test } from 'vitest'
import { type Guarded, refusalOf } from '../../src/core/role/guard.ts'

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

describe('a role of a quest is held to what it may change [role-quest]', () => {
  const root = '/state/worktrees/q-s1'
  const at = { ...WORKER, directory: root, root, cwd: root }
  const READER: Guarded = { ...at, role: 'planner', called: 'pathseeker' }
  const TESTER: Guarded = { ...at, called: 'siegemaster', tests: ['**/test/**', '**/*.test.*'] }
  const BUILDER: Guarded = { ...at, called: 'codeweaver' }

  test.each([
    [READER, ...bash('git log -p | head -100; cat src/a.ts')],
    [READER, 'mcp__rehoboam__set-steps', { steps: [] }],
    [TESTER, ...write('src/a.test.ts')],
    [TESTER, ...write(`${root}/test/deep/a.ts`)],
    [TESTER, ...write('/tmp/scratch.txt')],
    [TESTER, ...bash('npm test > out.log; echo x > test/new.txt')],
    [BUILDER, ...write('src/a.ts')],
    [BUILDER, ...bash('npm install && npm test')],
  ] as const)('fine: %j', (guarded, tool, input) => {
    expect(refusalOf(guarded, tool, input)).toBeNull()
  })

  test.each([
    [READER, ...write('src/a.ts'), /pathseeker: you read, and change nothing/],
    [READER, ...bash('npm install'), /Commands that only read are fine/],
    [READER, ...bash('echo x > notes.md'), /with the tools of the quest/],
    [TESTER, ...write('src/a.ts'), /may change tests/],
    [TESTER, 'Edit', { file_path: `${root}/package.json` }, /needs-role-followup/],
    [TESTER, ...write('/state/worktrees/q-s2/test/a.ts'), /own worktree only/],
    [BUILDER, ...write('/p/src/a.ts'), /user's checkout/],
    [BUILDER, ...bash('cp a.ts ../q-s2/a.ts'), /own worktree only/],
  ] as const)('refused, and told why: %j', (guarded, tool, input, why) => {
    expect(refusalOf(guarded, tool, input)).toMatch(why)
  })
})
