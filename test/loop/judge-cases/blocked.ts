import { CLI, DOCS, EARLIER, FLAKY, GERMAN, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const blocked: JudgeCase[] = [
  {
    name: 'needs an api key',
    lastMessage:
      'The embedding client is written, but I need an API key to go on. Please provide `EMBEDDING_KEY` in `.env`, then I can run the integration tests.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'blocked',
  },
  {
    name: 'which option do you prefer',
    lastMessage: `There are two ways to store sessions:

1. **Cookies** - simple, but needs CSRF protection
2. **Bearer tokens** - no CSRF, but clients must keep them

Which of these do you want? I'll wait for your decision before I go on.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'blocked',
  },
  {
    name: 'waiting for approval',
    lastMessage: `The plan is in \`PLAN.md\`. I'm waiting for your approval before I delete the webpack configuration.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'blocked',
  },
  {
    name: 'needs credentials',
    lastMessage: `Publishing needs npm credentials that I don't have. I need you to run \`npm login\` on this machine.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'blocked',
  },
  {
    name: 'clarification of requirement',
    lastMessage: `The anchor says that comments are kept, the fixture drops them. Could you clarify which one is right? I can't decide this without you.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'blocked',
  },
  {
    name: 'waits for a person to start a service',
    lastMessage: `The tests need a running Postgres, and I'm not allowed to start services. Please start it (\`docker compose up -d db\`) and tell me when it is up.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'blocked',
  },
  {
    name: 'german question',
    lastMessage:
      'Soll die Suche auch archivierte Einträge finden? Ich warte auf deine Entscheidung, bevor ich weitermache.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: GERMAN,
    label: 'blocked',
  },
  {
    name: 'needs a decision on a breaking change',
    lastMessage:
      'Renaming `rm` to `remove` breaks existing scripts. I need your decision: keep an alias, or break? Work is paused until you answer.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'blocked',
  },
  {
    name: 'needs human review of a migration',
    lastMessage:
      'The migration drops the column `legacy_hash`. This cannot be undone, so a human has to confirm it before I run it.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'blocked',
  },
  {
    name: 'legal text',
    lastMessage: `The licence page needs text from your legal team. I've left a placeholder and am waiting for that text from you.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'blocked',
  },
  {
    name: 'two factor code',
    lastMessage: `The release asks for a two-factor code. Please enter the code yourself; I'm waiting for you to do that.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'blocked',
  },
  {
    name: 'access to a repository',
    lastMessage: `I don't have access to the private package \`@corp/theme\`. Please grant access to this machine's key or give me a token. Until then I can't build.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'blocked',
  },
  {
    name: 'question with question tool wording',
    lastMessage:
      'Before I proceed I need to know: should tabs count as one column or as eight? Please answer and I will go on.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'blocked',
  },
  {
    name: 'requires manual step',
    lastMessage: `The OAuth app must be registered by hand in the provider's console, which only you can do. Once you have given me the client id I can finish the callback.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'blocked',
  },
  {
    name: 'blocked by missing credentials of a person',
    lastMessage: `I'm blocked by missing credentials for the staging cluster. Please add them to \`.env.staging\` and I'll take it from there.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'blocked',
  },
  {
    name: 'progress says waiting for the user',
    lastMessage: 'I left the details in the progress file.',
    progressBefore: EARLIER,
    progressAfter: `${EARLIER}
## Iteration 4
Waiting for the user to approve the removal of IE11 support; nothing else can be done before.
`,
    anchor: VITE,
    label: 'blocked',
  },
  {
    name: 'confirm deletion',
    lastMessage:
      'The next step deletes 2,300 files under `data/`. Please confirm that this is intended. I will not go on without your confirmation.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'blocked',
  },
  {
    name: 'design choice with table',
    lastMessage: `| option | pro | con |
|---|---|---|
| argon2 | modern | native build |
| scrypt | built in | slower |

I need your input on this choice, since the anchor forbids native builds but demands argon2.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'blocked',
  },
  {
    name: 'spanish waiting',
    lastMessage: 'Necesito tu decisión antes de continuar: ¿el índice debe incluir los archivados?',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'blocked',
  },
  {
    name: 'french waiting',
    lastMessage: `J'attends votre validation du plan avant de continuer.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'blocked',
  },
  {
    name: 'who should own',
    lastMessage:
      'The support page needs an e-mail address that people can write to. What address should I use? I have to wait for your answer, because I must not invent one.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'blocked',
  },
  {
    name: 'needs to accept a licence',
    lastMessage: `The tool wants its licence accepted interactively. I won't accept terms for you: please run \`npx tool accept\` and let me know.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'blocked',
  },
  {
    name: 'manual test on a device',
    lastMessage:
      'The failure shows only on a physical phone. I need someone to run `adb shell am start` with the phone attached and send me the log.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'blocked',
  },
  {
    name: 'stuck but asks a person',
    lastMessage: `I'm stuck on rule 7 because the anchor and the fixture contradict each other. I need you to tell me which one is authoritative.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'blocked',
  },
  {
    name: 'awaiting your input',
    lastMessage: 'Awaiting your input on the output format (see the two samples above).',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'blocked',
  },
  {
    name: 'complete except a person must sign',
    lastMessage: `Everything is built and tested. The binary still has to be signed with your private key, and I'm waiting for you to do that.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'blocked',
  },
]
