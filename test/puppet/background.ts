import { randomName } from './random-name.ts'
import type { Command } from './tools/command.ts'

type Task = { command: Command; call: string; description: string; run: string }
/** What the model hears, and the part of it that is a prompt in the eyes of hooks. */
export type Notice = { text: string; prompt: string }

/** Commands that go on while the session does something else, or has nothing else to do. */
export class Background {
  private readonly tasks = new Map<string, Task>()
  private readonly notices: Notice[] = []
  private wake: (() => void) | undefined
  private readonly say: (line: Record<string, unknown>) => void

  constructor(say: (line: Record<string, unknown>) => void) {
    this.say = say
  }

  add(command: Command, call: string, description: string): void {
    const task = { command, call, description, run: randomName(9) }
    this.tasks.set(command.id, task)
    this.changed()
    this.say({
      type: 'system',
      subtype: 'task_started',
      ...this.ids(task),
      tool_use_id: call,
      description,
      is_backgrounded: true,
      task_type: 'local_bash',
    })
    command.ended.then(code => this.end(task, code))
  }

  /** What runs now, as hooks are told of it. */
  running(): unknown[] {
    return [...this.tasks.values()].map(({ command, description }) => {
      return { id: command.id, type: 'shell', status: 'running', description, command: command.text }
    })
  }

  /** What has ended since somebody last asked. */
  takeNotices(): Notice[] {
    return this.notices.splice(0)
  }

  /** The next one to end; undefined when nothing runs any more. */
  async next(): Promise<Notice[] | undefined> {
    while (this.notices.length === 0) {
      if (this.tasks.size === 0) return undefined
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
    return this.takeNotices()
  }

  private end(task: Task, code: number): void {
    const status = code === 0 ? 'completed' : 'failed'
    const summary =
      code === 0
        ? `Background command "${task.description}" completed (exit code 0)`
        : `Background command "${task.description}" failed with exit code ${code}`
    this.tasks.delete(task.command.id)
    const file = task.command.outputFile
    this.say({ type: 'system', subtype: 'task_updated', ...this.ids(task), patch: { status, end_time: Date.now() } })
    this.say({
      type: 'system',
      subtype: 'task_notification',
      ...this.ids(task),
      tool_use_id: task.call,
      status,
      output_file: file,
      summary,
    })
    this.changed()
    const prompt = notification(task, status, summary)
    this.notices.push({ text: reminder(prompt), prompt })
    this.wake?.()
  }

  private changed(): void {
    const tasks = [...this.tasks.values()].map(task => ({
      ...this.ids(task),
      task_type: 'local_bash',
      description: task.description,
    }))
    this.say({ type: 'system', subtype: 'background_tasks_changed', tasks })
  }

  private ids(task: Task) {
    return { task_id: task.command.id, run_id: task.run }
  }
}

function notification(task: Task, status: string, summary: string): string {
  return `<task-notification>
<task-id>${task.command.id}</task-id>
<tool-use-id>${task.call}</tool-use-id>
<output-file>${task.command.outputFile}</output-file>
<status>${status}</status>
<summary>${summary}</summary>
</task-notification>`
}

function reminder(text: string): string {
  return `<system-reminder>
[SYSTEM NOTIFICATION - NOT USER INPUT]
This is an automated background-task event, NOT a message from the user.

${text}
</system-reminder>`
}
