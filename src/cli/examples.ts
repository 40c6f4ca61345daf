/** What to type, by command. A reader of `--help` looks for the line that is nearly theirs. */
export const EXAMPLES: Record<string, string> = {
  rehoboam: `
  rehoboam                                        the dashboard: what each agent does, who waits for you
  rehoboam demo                                   see it work: no account, no cost
  rehoboam spawn --prompt "mend the login test" --permission-mode acceptEdits --wait
  rehoboam quest "export all orders as CSV" --permission-mode acceptEdits --wait
  rehoboam runs                                   what there is
  rehoboam logs -f k3v9x0ab                       follow one
  rehoboam tell k3v9x0ab "use the new API"        a message for its next turn`,
  spawn: `
  rehoboam spawn --prompt "mend the login test" --permission-mode acceptEdits --wait
  rehoboam spawn --prompt-file task.md --allowed-tools "Edit,Write,Bash(npm test *)" --max-cost 2
  git diff | rehoboam spawn --prompt-file - --max-time 10m
  rehoboam spawn --prompt "mend what CI says" --no-questions --wait    in a script: code 6 when it asks
  rehoboam spawn --prompt "look around" -- --add-dir ../shared
  rehoboam spawn --loop --prompt-file task.md --ward "npm test" --permission-mode acceptEdits --wait
  rehoboam spawn --loop --worktree --prompt-file other.md --permission-mode acceptEdits    beside it
  rehoboam spawn --loop --role planner --auto-spawn-workers --prompt-file goal.md --ward "npm test" --permission-mode acceptEdits`,
  quest: `
  rehoboam quest "export all orders as CSV" --permission-mode acceptEdits --allowed-tools "Bash(npm test *)" --wait
  rehoboam quest --prompt-file request.md --slots 5 --ward "npm test" --ward "npm run lint" --max-cost 20 --permission-mode acceptEdits
  rehoboam quest "a dark theme" --approve-plan --permission-mode acceptEdits    then: rehoboam plan ID, rehoboam allow Q`,
  plan: `
  rehoboam plan k3v9x0ab                          requirements and steps
  rehoboam plan k3v9x0ab --edit                   in your editor: change, add or take out steps that have not begun`,
  retry: `
  rehoboam retry k3v9x0ab parse-dates             a step that waits for you, or that was left out`,
  skip: `
  rehoboam skip k3v9x0ab parse-dates              and what depends on it`,
  runs: `
  rehoboam runs
  rehoboam runs --json | jq '.[] | select(.status == "active") | .id'`,
  show: `
  rehoboam show k3v9x0ab
  rehoboam show k3                                the beginning is enough when it fits one run or agent
  rehoboam show 3f2a9c                            an agent: tools, subagents, tokens, files, what it asks
  rehoboam show k3 --json | jq .costUsd`,
  logs: `
  rehoboam logs k3v9x0ab
  rehoboam logs -f k3v9x0ab                       until the run ends; Ctrl-C leaves it running
  rehoboam logs -f 3f2a9c                         an agent, from its transcript`,
  reject: `
  rehoboam reject k3v9x0ab                        let it finish what it is at, then end it`,
  verdict: `
  rehoboam verdict k3v9x0ab 3 --wrong "the second criterion is not met"`,
  diff: `
  rehoboam diff k3v9x0ab
  rehoboam diff k3v9x0ab --stat`,
  merge: `
  rehoboam merge k3v9x0ab
  rehoboam merge k3v9x0ab --squash                one commit instead of its history`,
  restore: `
  rehoboam restore k3v9x0ab 4                     a new branch with the files as they were after iteration 4
  rehoboam restore k3v9x0ab 0 --worktree ../before`,
  prune: `
  rehoboam prune
  rehoboam prune --checkpoints k3v9x0ab           this run's work is merged, or nobody wants it`,
  cancel: `
  rehoboam cancel k3v9x0ab`,
  freeze: `
  rehoboam freeze                                 everything stands still; rehoboam thaw lets it go on`,
  thaw: `
  rehoboam thaw
  rehoboam thaw --json | jq -r '.runs[]'`,
  pause: `
  rehoboam pause k3v9x0ab                         then: rehoboam resume k3v9x0ab`,
  resume: `
  rehoboam resume k3v9x0ab                        go on where it stopped
  rehoboam resume k3v9x0ab "now the other test" --wait`,
  tell: `
  rehoboam tell k3v9x0ab "the staging server is up again"
  rehoboam tell 3f2a9c "use the new API"          a session of yours in tmux: typed into its pane`,
  agents: `
  rehoboam agents
  rehoboam agents --json | jq -r '.[] | select(.status == "waiting") | .cwd'`,
  task: `
  rehoboam task list
  rehoboam task add "Mend the login (files: src/login.ts)"`,
  'task list': `
  rehoboam task list --run k3v9x0ab`,
  'task add': `
  rehoboam task add "Write the manual (files: docs/manual.md)"`,
  'task claim': `
  rehoboam task claim TASK-003`,
  'task release': `
  rehoboam task release TASK-003`,
  'task done': `
  rehoboam task done TASK-003`,
  'inbox mute': `
  rehoboam inbox mute 30m
  rehoboam inbox mute 8h                          until tomorrow morning`,
  'inbox unmute': `
  rehoboam inbox unmute`,
  allow: `
  rehoboam allow 3f2a
  rehoboam allow 3f2a 7b1c                        several at once
  rehoboam allow 3f2a --for-project               and do not ask for it here again`,
  deny: `
  rehoboam deny 3f2a --reason "not on main"
  rehoboam deny 3f2a --always`,
  answer: `
  rehoboam answer 7b1c 2                          the second option
  rehoboam answer 7b1c "round per order"`,
  rules: `
  rehoboam rules list
  rehoboam rules add allow "Bash(npm test *)" --project`,
  'rules list': `
  rehoboam rules list --json`,
  'rules rm': `
  rehoboam rules rm r3`,
  open: `
  rehoboam open k3v9x0ab                          its tmux pane; detach with Ctrl-b d, it goes on
  rehoboam open k3v9x0ab --yes                    a headless one goes on in a pane, without asking first
  rehoboam open 3f2a9c                            the pane of a session of yours`,
  doctor: `
  rehoboam doctor
  rehoboam doctor --json | jq '.[] | select(.state != "ok")'`,
  config: `
  rehoboam config list
  rehoboam config set maxCostUsd 5
  rehoboam config explain maxCostUsd`,
  'config list': `
  rehoboam config list
  rehoboam config list --dir ../shop --json`,
  'config get': `
  rehoboam config get sessions.max`,
  'config set': `
  rehoboam config set maxCostUsd 5                in your own file
  rehoboam config set --project maxTime 2h        in the project's, for everybody who works on it
  rehoboam config set --unset model`,
  'config explain': `
  rehoboam config explain session.crashRetries`,
  daemon: `
  rehoboam daemon status
  rehoboam daemon logs -f`,
  'daemon start': `
  rehoboam daemon start                           any other command does it too`,
  'daemon stop': `
  rehoboam daemon stop                            sessions go on; the next command takes them back`,
  'daemon status': `
  rehoboam daemon status --json | jq .pid`,
  'daemon logs': `
  rehoboam daemon logs -n 200
  rehoboam daemon logs -f`,
  demo: `
  rehoboam demo
  rehoboam demo --keep                            and look at what it made`,
}
