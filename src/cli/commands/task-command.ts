import { resolve } from 'node:path'
import { Command } from 'commander'
import type { TaskView } from '../../contract/pool.ts'
import type { TaskRequest, TaskVerb } from '../../contract/task-api.ts'
import { plainLine } from '../../view/plain.ts'
import { taskLines } from '../../view/pool-lines.ts'
import type { Face } from '../face.ts'

type Options = { run?: string; dir?: string; id?: string; json?: boolean }

/** The tasks of a pool, by hand. */
export function taskCommand(face: Face): Command {
  return new Command('task')
    .description('the tasks of a planner: look, add, take one, give it back, say that it is done')
    .addCommand(list(face))
    .addCommand(add(face))
    .addCommand(change(face, 'claim', 'take a task for yourself; without an id the next that is free', 'is yours'))
    .addCommand(change(face, 'release', 'give a task back', 'is free again'))
    .addCommand(change(face, 'done', 'a task is done; from inside its worker this is a claim', 'is done'))
}

function list(face: Face): Command {
  return withPlace(new Command('list').description('list the tasks')).action(async (options: Options) => {
    const body = requestOf(options, null, null)
    const { run, tasks } = await face.daemon.ask<{ run: string; tasks: TaskView[] }>({
      method: 'POST',
      path: '/v1/tasks/list',
      body,
    })
    if (options.json) return face.out.json({ run, tasks })
    if (tasks.length === 0) return face.out.line(`run ${run} has no task yet`)
    for (const line of taskLines(tasks)) face.out.line(line)
  })
}

function add(face: Face): Command {
  return withPlace(new Command('add').description('add a task'))
    .argument('<text>', 'what to do; "files: a, b" names files that no other task may change meanwhile')
    .option('--id <id>', 'its id (default: the next number)')
    .action(async (text: string, options: Options) => {
      const task = await ask(face, 'add', requestOf(options, options.id ?? null, text))
      if (options.json) return face.out.json(task)
      face.out.line(`task ${task.id} is added: ${plainLine(task.title)}`)
    })
}

function change(face: Face, verb: TaskVerb, description: string, said: string): Command {
  return withPlace(new Command(verb).description(description))
    .argument('[task]', 'its id')
    .action(async (id: string | undefined, options: Options) => {
      const task = await ask(face, verb, requestOf(options, id ?? null, null))
      if (options.json) return face.out.json(task)
      const isClaim = verb === 'done' && task.state !== 'done'
      face.out.line(
        `task ${task.id} ${isClaim ? 'is claimed to be done; it is checked when you end' : said}: ${plainLine(task.title)}`,
      )
    })
}

/** From inside an agent only with the token of its session. */
function ask(face: Face, verb: TaskVerb, body: TaskRequest): Promise<TaskView> {
  const token = face.env.REHOBOAM_TOKEN
  const isInside = Boolean(face.env.CLAUDECODE || face.env.REHOBOAM_RUN)
  if (!isInside || !token) face.mayChange(`task ${verb}`)
  const headers = isInside ? { authorization: `Bearer ${token}` } : undefined
  const { REHOBOAM_RUN: run = null, REHOBOAM_LOOP_DIR: loopDirectory = null } = face.env
  const own = isInside ? { ...body, run: body.run ?? run, loopDirectory } : body
  return face.daemon.ask<TaskView>({
    method: 'POST',
    path: `/v1/tasks/${verb}`,
    body: own,
    ...(headers && { headers }),
  })
}

function withPlace(command: Command): Command {
  return command
    .option('--run <run>', 'of this run (default: the newest that has tasks in this directory)')
    .option('--dir <directory>', 'the project (default: this directory)')
    .option('--json', 'for scripts')
}

function requestOf({ run, dir }: Options, task: string | null, text: string | null): TaskRequest {
  return { run: run ?? null, directory: resolve(dir ?? '.'), task, text, loopDirectory: null }
}
