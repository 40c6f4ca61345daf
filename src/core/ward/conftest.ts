/** What of a conftest.py decides which tests are run: what it ignores, and hooks that pick, change or end tests. Fixtures do not. */
export function conftestRules(text: string): string {
  return blocksOf(text)
    .filter(decides)
    .map(block => block.replace(/\s+/g, ' ').trim())
    .join('\n')
}

// Somebody's generated file: then the beginning decides.
const MOST_LINES = 5_000

/** What begins at the margin, with everything that is indented below it. A decorator is part of what follows it. */
function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let isDecorated = false
  for (const line of text.split(/\r?\n/, MOST_LINES)) {
    if (/^\s*(#|$)/.test(line)) continue
    const isIndented = /^[\s)\]}]/.test(line)
    const isInside = isIndented || isDecorated
    if (!isIndented) isDecorated = line.startsWith('@')
    if (isInside && blocks.length > 0) blocks.push(`${blocks.pop()}\n${line}`)
    else blocks.push(line)
  }
  return blocks
}

const HOOK = /^(?:async\s+)?def\s+(pytest_\w+)|^(pytest_\w+)\s*=/m
/** They name options, markers, parameters and headers; unless they touch what is run. */
const HARMLESS =
  /^pytest_(?:addoption|configure|unconfigure|generate_tests|sessionstart|report_header|terminal_summary|assertrepr_compare|make_parametrize_id)$/
const TOUCHES = /\boption\.|\bargs\b|exit|deselect|skip|keyword|ignore/

function decides(block: string): boolean {
  if (/^(?:collect_ignore(?:_glob)?|pytestmark)\b/.test(block)) return true
  const [, hook = null, assigned = null] = HOOK.exec(block) ?? []
  const name = hook ?? assigned
  return name !== null && (!HARMLESS.test(name) || TOUCHES.test(block))
}
