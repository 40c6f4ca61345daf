import type { Context, Screen } from './screen.ts'
import { agentScreen } from './screens/agent-screen.ts'
import { agentsScreen } from './screens/agents-screen.ts'
import { diffScreen } from './screens/diff-screen.ts'
import { eventsScreen } from './screens/events-screen.ts'
import { helpScreen } from './screens/help-screen.ts'
import { inboxScreen, questionScreen } from './screens/inbox-screen.ts'
import { runScreen } from './screens/run-screen.ts'
import { runsScreen } from './screens/runs-screen.ts'
import { searchScreen } from './screens/search-screen.ts'
import { tasksScreen } from './screens/tasks-screen.ts'
import { totalsScreen } from './screens/totals-screen.ts'
import { shownView } from './ui.ts'

export function screenOf(context: Context): Screen {
  const view = shownView(context.ui)
  switch (view.name) {
    case 'agents':
      return agentsScreen(context)
    case 'runs':
      return runsScreen(context)
    case 'inbox':
      return inboxScreen(context)
    case 'question':
      return questionScreen(context, view.id)
    case 'tasks':
      return tasksScreen(context)
    case 'events':
      return eventsScreen(context)
    case 'totals':
      return totalsScreen(context)
    case 'search':
      return searchScreen(context)
    case 'help':
      return helpScreen(context, view.of)
    case 'run':
      return runScreen(context, view.id)
    case 'agent':
      return agentScreen(context, view.id)
    case 'diff':
      return diffScreen(context, view.id)
  }
}
