// Patterns for whole messages: what stands beside a claim and makes it one that does not count. The same limits hold as
// for claim-words: each is tried on a piece of at most 600 characters.

/** In sentences: something is open, red, or was not looked at. */
export const OPEN_ENDS: RegExp[] = [
  /\b(?:still|yet to|not yet|remains?|remaining|leftover|unfinished|untested|unverified)\b/u,
  /\b(?:next iteration|next step|next steps|in progress|not started|to-dos? left|todos? left|(?:one|two|three|few|\d+) (?:more )?to go)\b/u,
  /\b(?:i'll|i will|i am going to|i'm going to|moving on to|starting (?:with|on)|(?:am|i'm|is|are) (?:now |still )?running|too slow|up next|following iteration|now (?:i|we|the [\w-]+) can|to follow)\b/u,
  /^(?:now )?(?:running|verifying|testing|checking)\b/u,
  /(?:^|[,:] )next\b|\bis next\b|\b(?:comes?|follows?) next\b/u,
  /\b(?:could not|couldn't|cannot|can't|unable to|did not|didn't|have not|haven't|has not|hasn't|was not able to|wasn't able to) (?:yet |fully |actually )?(?:run|verify|verified|check|checked|test|tested|build|built|confirm|confirmed|finish|finished|complete|completed|been|get|fix|fixed|reproduce|start|started)\b/u,
  /(?:\b(?:not|never|in no way)|n't)(?: \w+){0,2} (?:completed?|done|finished|implemented|achieved|satisfied|fulfilled|met|working|pass(?:ing)?)\b/u,
  /\b(?:is|are|what's|what is|status:) (?:left|missing|open|incomplete|partial|failing|broken|red)\b/u,
  /\b(?:much|little|more|a lot|lots|something|two|three|four|one|some) (?:is|are|work is) left\b/u,
  /\b(?:skipped|disabled|commented out|stubbed|hard-?coded) (?:it|them|that|this|for now|for the moment|temporarily)\b|\bas skipped\b/u,
  /\b(?:tests?|suite|build|builds|lint|linter|check|checks|job|ci|types?|typecheck|compilation|run|runs|fixtures?|assertions?|specs?)\b.{0,40}\b(?:fails?|failing|is red|are red|breaks|is broken|are broken|errors out|times out|crash(?:es)?)\b/u,
  /\b[1-9]\d{0,8} (?:\w+ )?(?:failed|failing|failures?|errors?|fail)\b/u,
  /\b(?:failed|failures|errors)[:=] ?[1-9]/u,
  /\b(?:known (?:issues?|problems?|bugs?|limitations?)|caveats?|limitations?|does not work|doesn't work|do not work|don't work|so far|not covered|regressions)\b/u,
  /\berror ts\d/u,
  /^(?:aber|allerdings|jedoch)\b|\bnoch (?:nicht|offen)\b|\bes fehl(?:t|en)\b|\bpas encore\b|\bil reste\b|\btodavía\b|\bfaltan?\b/u,
]

/** Nothing is open, although it sounds so. Taken out before the patterns above are tried. */
export const CLOSED_ENDS =
  /\b(?:no (?:remaining|further|more|open|outstanding) \w+|no \w+ remains?|nothing (?:is |else )?(?:left|remains)|nothing remains|0 (?:\w+ )?(?:failed|failing|failures?|errors?)|no (?:\w+ )?(?:failures?|errors?)|(?:no|none) left|no longer \w+|without (?:an?|any) (?:\w+ )?(?:failure|error|warning)s?|no tests? (?:is|are) skipped|(?:if|when) (?:\w+ ){1,6}is missing)\b/gu

/** In program output and table rows, small letters. */
export const RED_OUTPUT: RegExp[] = [
  /\b[1-9]\d{0,8} (?:\w+ )?(?:failed|failing|failures?|errors?)\b/u,
  /\b(?:failed|failures|errors)[:=] ?[1-9]/u,
  /^\s*(?:fail|failed|✗|✘|×|not ok \d|--- fail|error:|error\[|npm err!)(?:\s|:|$|\[)/u,
  /\berror ts\d/u,
  /\btest result: failed\b/u,
]
export const OPEN_CELL =
  /[⏳🔄🚧❌⬜🟡🔴]|\|\s*(?:in progress|not started|pending|todo|to do|open|blocked|failed|failing|fail|wip|partial|missing|incomplete|unknown|no)\s*\||\bso far\b/u

/** Headings whose section says that work is left, unless it is offered as an extra. */
export const OPEN_HEADING =
  /\b(?:remaining|next steps?|to ?do|in progress|pending|open(?: (?:items|questions|issues|points))?|not (?:done|started|completed?)|still|blockers?|known (?:issues|failures)|incomplete|left)\b/u
export const EXTRA = /\b(?:optional|possible|future|nice to have|out of scope|beyond|later improvements|ideas)\b/u
