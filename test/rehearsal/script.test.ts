import { describe, expect, test } from 'vitest'
import { startModel } from '../../src/rehearsal/model.ts'
import { say } from '../../src/rehearsal/replies.ts'
import { assistant, post, results, user } from './messages-api.ts'

const LINE = '[rehoboam run=r1 role=worker task=T-1 attempt=2]'

describe('which rule answers', () => {
  test('the first one that matches the names of the first line [rehearsal-match]', async () => {
    await using model = await startModel([
      { when: { role: 'planner' }, reply: say('planner') },
      { when: { role: 'worker', attempt: 1 }, reply: say('first attempt') },
      { when: { role: 'worker', task: 'T-1', attempt: 2 }, reply: say('second attempt') },
      { reply: say('anybody') },
    ])
    expect((await post(model, [user(`${LINE}\nDo it.`)])).text).toBe('second attempt')
    expect((await post(model, [user('Do it.')])).text).toBe('anybody')
    expect(model.asked.map(a => a.line)).toEqual([{ run: 'r1', role: 'worker', task: 'T-1', attempt: '2' }, {}])
  })

  test('a prompt that begins with a slash carries its names last, or in the middle once it is expanded [rehearsal-match]', async () => {
    await using model = await startModel([{ when: { run: 'r1' }, reply: say('found') }])
    expect((await post(model, [user(`/review everything\n${LINE}`)])).text).toBe('found')
    expect((await post(model, [user(`Review target: everything ${LINE}\n\nBe thorough.`)])).text).toBe('found')
  })

  test('a pattern is looked for in the latest prompt only [rehearsal-match]', async () => {
    await using model = await startModel([
      { when: { prompt: '^Go on' }, reply: say('resumed') },
      { reply: say('begun') },
    ])
    const history = [user(`${LINE}\nDo it.`), assistant('ok')]
    expect((await post(model, [...history, user(`${LINE}\nGo on.`)])).text).toBe('resumed')
    expect((await post(model, history.slice(0, 1))).text).toBe('begun')
  })

  test('a pattern is not looked for in the line of names, where a random id could match it [rehearsal-match]', async () => {
    await using model = await startModel([
      { when: { prompt: 'go' }, reply: say('pattern') },
      { when: { run: 'gohs5agj' }, reply: say('names') },
    ])
    expect((await post(model, [user('[rehoboam run=gohs5agj role=session]\nDo it.')])).text).toBe('names')
    expect((await post(model, [user('[rehoboam run=gohs5agj role=session]\nLet it go.')])).text).toBe('pattern')
  })

  test('turns count from the latest prompt; tool results, reminders and notices do not begin a new one [rehearsal-match]', async () => {
    await using model = await startModel([0, 1, 2].map(turn => ({ when: { turn }, reply: say(`turn ${turn}`) })))
    const first = [
      user(`${LINE}\nDo it.`),
      assistant([{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }]),
      results('a'),
    ]
    expect((await post(model, first)).text).toBe('turn 1')
    const reminded = [...first, assistant('ok'), user('<system-reminder>\nA task ended.\n</system-reminder>')]
    expect((await post(model, reminded)).text).toBe('turn 2')
    const cut = [user('Do it.'), assistant('ha'), user('Your response above was cut off mid-stream. Resume directly.')]
    expect((await post(model, cut)).text).toBe('turn 1')
    expect((await post(model, [...reminded, assistant('ok'), user('And now?')])).text).toBe('turn 0')
  })

  test('after a failed turn the next prompt shares a message with the unanswered one, and is the one that counts [rehearsal-match]', async () => {
    await using model = await startModel([{ when: { attempt: 2, turn: 0 }, reply: say('second') }])
    const texts = ['[rehoboam run=r1 attempt=1]\nDo it.\n', '[rehoboam run=r1 attempt=2]\nGo on.']
    expect((await post(model, [user(texts.map(text => ({ type: 'text', text })))])).text).toBe('second')
  })

  test('a rule answers as often as it says, and then the next one does [rehearsal-match]', async () => {
    await using model = await startModel([{ times: 2, reply: say('twice') }, { reply: say('for ever') }])
    const said = []
    for (let n = 0; n < 4; n += 1) said.push((await post(model, [user('hi')])).text)
    expect(said).toEqual(['twice', 'twice', 'for ever', 'for ever'])
  })

  test('when nothing is left it says so, and the record shows it [rehearsal-match]', async () => {
    await using model = await startModel([{ when: { role: 'nobody' }, reply: say('never') }])
    expect((await post(model, [user('hi')])).text).toBe('nothing left in the script')
    expect(model.asked[0]).toMatchObject({ unmatched: true, side: false })
  })

  test('a question without tools is the client’s own: answered shortly, and outside the script [rehearsal-match]', async () => {
    await using model = await startModel({ rules: [{ reply: say('script') }], side: 'A title' })
    expect((await post(model, [user('Name this.')], { tools: [] })).text).toBe('A title')
    expect(model.asked[0]).toMatchObject({ side: true, unmatched: false })
    model.says({ when: { side: true }, reply: say('A better title') })
    expect((await post(model, [user('Name this.')], { tools: [] })).text).toBe('A better title')
  })

  test('rules can be put before all others, or replaced, while the model runs [rehearsal-match]', async () => {
    await using model = await startModel([{ reply: say('old') }])
    model.says({ times: 1, reply: say('new') })
    expect((await post(model, [user('hi')])).text).toBe('new')
    expect((await post(model, [user('hi')])).text).toBe('old')
    model.replaceRules([{ reply: say('other') }])
    expect((await post(model, [user('hi')])).text).toBe('other')
    expect(() => model.says({ reply: { status: 3 } })).toThrow(/status/)
  })

  test('a reply may name the working directory and the names of the first line [rehearsal-data]', async () => {
    await using model = await startModel([
      { reply: { tools: [{ name: 'Write', input: { file_path: '{{cwd}}/{{task}}.md', content: '{{unknown}}' } }] } },
    ])
    const { events } = await post(model, [user(`${LINE}\nDo it.`)], {
      system: '# Environment\n - Primary working directory: /home/dev/shop\n',
    })
    const json = events.map(e => (e.delta as { partial_json?: string })?.partial_json ?? '').join('')
    expect(JSON.parse(json)).toEqual({ file_path: '/home/dev/shop/T-1.md', content: '{{unknown}}' })
  })
})
