/*
 * Programs that run another program, which they are told by name, by text, or by what comes in. They always ask: a rule
 * that names them says nothing about what they run. Beside each: how many plain words stand before that program.
 */
export const WRAPPERS = new Map<string, number>([
  ...zero('sudo doas pkexec env xargs nohup nice ionice time watch setsid stdbuf unbuffer busybox toybox parallel'),
  ...zero('command builtin exec eval source . trap noglob nocorrect - script at batch crontab entr watchexec'),
  ...zero('strace ltrace gdb lldb valgrind perf unshare nsenter bwrap firejail systemd-run setpriv capsh setarch arch'),
  ...zero('start-stop-daemon run-parts fakeroot proot caffeinate xvfb-run torsocks proxychains proxychains4 rlwrap'),
  ...zero('cross-env cross-env-shell dotenv env-cmd concurrently npm-run-all run-s run-p hyperfine tini dumb-init'),
  ...zero('tmux screen dtach abduco nix-shell expect winpty wsl dbus-run-session logsave nodemon direnv setlock'),
  ...one('timeout gtimeout ssh rsh mosh chroot flock taskset chrt su runuser gosu su-exec numactl repeat faketime'),
  ...one('foreach nsexec envdir softlimit'),
])

/** Shells. They run a script that a rule names (`Bash(bash scripts/test.sh *)`), and nothing else. */
export const SHELLS = new Set('sh bash zsh dash ash ksh mksh rbash yash posh fish csh tcsh elvish nu xonsh'.split(' '))

/*
 * The shell's own commands that evaluate text, define names, or change how everything after them is read; and programs
 * that take commands from their arguments or from what comes in. No rule allows them.
 */
export const ALWAYS_ASK = new Set(
  [
    'alias unalias bind caller jobs fg bg disown compgen complete compopt coproc declare typeset local readonly export unset let read',
    'mapfile readarray enable disable getopts hash history fc set shopt shift suspend ulimit umask wait pushd popd dirs',
    'chdir logout autoload bindkey emulate float functions integer limit unlimit print pushln rehash sched setopt',
    'unsetopt vared ttyctl unfunction unhash zcompile zformat zle zmodload zparseopts zpty zstyle zsystem always end',
    'vi vim nvim view vimdiff ex ed emacs nano less more most man info pico joe',
    'sqlite3 psql mysql mariadb mongo mongosh sqlplus nc ncat netcat socat telnet ftp lftp',
    'osascript pwsh powershell cmd cscript wscript rundll32 reg jshell ghci irb pry iex erl racket sbcl clisp',
  ].flatMap(line => line.split(' ')),
)

/** They only look at files, or, like git, have a care for their own: any file may stand among their arguments. */
export const LOOKING = new Set(
  'git ls cat head tail wc grep rg stat file tree du diff echo printf test [ cd pwd which basename dirname'.split(' '),
)

function zero(names: string): [string, number][] {
  return names.split(' ').map(name => [name, 0])
}

function one(names: string): [string, number][] {
  return names.split(' ').map(name => [name, 1])
}
