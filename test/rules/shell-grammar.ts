// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell, not JavaScript
import fc from 'fast-check'

/** Ways to put one script into another. What is put in runs, might run, or is at least not plainly text. */
const AROUND: ((script: string) => string)[] = [
  script => script,
  script => `aa && ${script}`,
  script => `aa; ${script}`,
  script => `aa\n${script}`,
  script => `${script} | bb`,
  script => `bb x |& ${script}`,
  script => `aa & ${script}`,
  script => `aa || ${script}`,
  script => `! ${script}`,
  script => `(${script})`,
  script => `{ ${script}; }`,
  script => `aa "$(${script})"`,
  script => `aa x$(${script})`,
  script => (/[`\\]/.test(script) ? `aa $(${script})` : `aa \`${script}\``),
  script => `bb <(${script})`,
  script => `bb >(${script})`,
  script => `if aa; then ${script}; fi`,
  script => `if ${script}; then aa; else bb; fi`,
  script => `for i in 1 2; do ${script}; done`,
  script => `for i in $(${script}); do aa; done`,
  script => `while aa; do ${script}; done`,
  script => `until ${script}; do aa; done`,
  script => `case x in x) ${script};; esac`,
  script => `case $(${script}) in *) aa;; esac`,
  script => `aa <<EOF\n$(${script})\nEOF`,
  script => `aa <<-EOF\n\t$(${script})\n\tEOF`,
  script => `aa <<< "$(${script})"`,
  script => `aa > "$(${script})"`,
  script => `aa < $(${script})`,
  script => `x=$(${script}) aa`,
  script => `x=$(${script})`,
  script => `aa() { ${script}; }; aa`,
  script => `[[ -n $(${script}) ]] && aa`,
  script => `aa $((1 + $(${script})))`,
  script => `aa "\${z:-$(${script})}"`,
  script => `aa \${z/x/$(${script})}`,
  script => `coproc ${script}`,
  script => `time ${script}`,
  script => `aa # note\n${script}`,
  script => `aa <<'EOF'\nit's\nEOF\n${script}`,
  script => `aa <<A <<B\n1\nA\n2\nB\n${script}`,
  script => `aa \\\n&& ${script}`,
  script => `aa 'x' "y"; ${script} 2>/dev/null`,
  script => `eval '${script.replaceAll("'", '"')}'`,
  script => `sh -c "${script.replaceAll(/["$`\\]/g, '')}"`,
  script => `trap '${script.replaceAll("'", '')}' EXIT`,
  script => `aa && { bb; (aa; ${script}); }`,
  script => `cd src && ${script}`,
  script => `cd src; ${script}`,
  script => `(cd src && aa) || ${script}`,
  script => `for i in 1; { ${script}; }`,
  script => `case x in (x) ${script};; esac`,
  script => `case x in x) ${script}\nesac`,
  script => `{ ${script}; } > out/f`,
  script => (script.includes('\n') ? `aa | ${script}` : `aa <<EOF | ${script}\nEOF`),
  script => `aa <<"E F"\n$(x)\nE F\n${script}`,
  script => `aa "$(aa ")"; ${script})"`,
  script => (/[`\\"]/.test(script) ? `aa "$(${script})"` : `aa "\`${script}\`"`),
  script => `aa $[ $(${script}) ]`,
  script => `aa "\${y[$(${script})]}"`,
  script => `export x=$(${script})`,
  script => `declare -a y=($(${script}))`,
  script => `function aa { ${script}; }\naa`,
  script => `((1)) && ${script}`,
  script => `for ((i = 0; i < 1; i++)); do ${script}; done`,
  script => `[[ a == a && -z "$(${script})" ]] || aa`,
  script => `aa $(<out/f); ${script}`,
  script => `aa;;\n${script}`,
  script => `if aa\nthen\n${script}\nfi`,
  script => `select i in 1; do ${script}; done`,
]

/** A script with this one somewhere inside, wrapped up to four times. */
export function wrapped(script: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const ways = fc.array(fc.constantFrom(...AROUND), { maxLength: 4 })
  return fc.tuple(script, ways).map(([inner, around]) => around.reduce((text, put) => put(text), inner))
}

/** One program that no rule names, spelt in ways that a shell understands. */
export const unlisted = fc.constantFrom(
  ...[
    'evil',
    'evil x',
    'ev\\il',
    '"evil"',
    "'evil' x",
    'ev""il',
    "$'evil'",
    "$'\\x65vil'",
    '$(aa)evil',
    './evil',
    '~/evil',
  ],
  ...[
    '{evil,x}',
    'ev$@il',
    '${z:-evil} x',
    '$z evil',
    '$(echo evil)',
    '`echo evil`',
    '/usr/bin/evil',
    'evil\t-f',
    'X=1 evil',
  ],
  ...[
    '>/dev/null evil',
    '2>&1 evil',
    'command evil',
    'exec evil',
    'env evil',
    'builtin evil',
    'nohup evil',
    'xargs evil',
  ],
  ...['еvil', 'ｅvil', 'e\u200bvil', 'evil;', '\\evil', 'e\\\nvil', 'aa && evil', 'aa;evil', 'aa|evil', 'aa&evil'],
)

/** Scripts of programs that rules name, and now and then of one that none names. */
export const scripts = wrapped(
  fc.constantFrom(
    ...['aa', 'bb -f x', "aa 'y z'", 'bb "q"', 'aa > out/f', 'bb >> "out/g"', 'cd src', 'evil'],
    ...['cc x', "cc 'x'", 'cc "x"', 'cc x y', 'cc $x', 'cc \\x', 'cc x*', 'aa $x', 'aa "$@" *'],
  ),
)

const SCRAPS = [
  ...[' ', '\n', '\t', ';', ';;', '&', '&&', '|', '(', ')', '{', '}', '<', '>', '>>', '<<EOF', '\nEOF\n', '#', ' # '],
  ...["'", '"', '`', '$', '$(', '${', '=', 'x=', '*', '?', '[', ']', '[[', ']]', '!', '~', 'evil', ' evil', '\nevil\n'],
  ...[':', ' in ', ' do ', '; done', 'case ', ' esac', 'time ', '((', '))', 'if ', ' then ', ' fi', '<(', '$((', '<<<'],
  ...[
    '$x',
    '$@',
    'for i in ',
    '<<-',
    "<<'E'",
    '\nE\n',
    '"EOF"',
    'function ',
    'coproc ',
    '@(',
    '{a,b}',
    '$"',
    "$'",
    '\\"',
  ],
  ...['\\', '\\\n', '-', '1', 'EOF', '>&', '2>&1', 'aa', ' cc x', '\r', '\u00a0', '|&', '&>', '<>', '>|', ';&', '$_'],
  // Where zsh reads otherwise than bash.
  ...[
    '*(e:evil:)',
    '=(evil)',
    '${(e)x}',
    'repeat 2 ',
    '&!',
    '&|',
    '>!',
    '>>|',
    ';|',
    ' always { evil; }',
    'noglob ',
    '=evil',
  ],
  ...[
    '<1-3>',
    '${~x}',
    '(#qe:evil:)',
    '$x[1]',
    '{ evil }',
    'for x (1 2) evil',
    '() { evil }',
    '^',
    '- ',
    '$=x',
    '"$~x"',
  ],
]

/** The script with a few scraps of shell put in or letters taken out, anywhere. */
export function disturbed(script: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(1000),
    cut: fc.constantFrom(0, 0, 0, 1, 2),
    scrap: fc.constantFrom('', ...SCRAPS),
  })
  return fc.tuple(script, fc.array(edit, { maxLength: 4 })).map(([text, edits]) =>
    edits.reduce((now, { at, cut, scrap }) => {
      const place = at % (now.length + 1)
      return now.slice(0, place) + scrap + now.slice(place + cut)
    }, text),
  )
}
