// Patterns for the two ways of not getting on: one waits for a person, one does not know how. Sentences as in claim-words.

const YOU_GIVE =
  '(?:decision|input|approval|answer|confirmation|permission|guidance|feedback|choice|go-ahead|help|clarification|reply|response|validation|consent|ok)'

/** It says that it waits for a person, or for what only a person can give. */
export const WAITS: RegExp[] = [
  /\b(?:wait(?:ing)?|awaiting|paused|hold(?:ing)? off)\b.{0,30}\b(?:you|your)\b/u,
  /(?:^|\bi'm |\bi am |\bam |\bwe're )(?:still |now )?(?:waiting|awaiting) .{0,20}\b(?:a human|someone|somebody|that|the (?:user|maintainer|owner|team))(?:\.|$| (?:to|approv|decid|answer|confirm))/u,
  new RegExp(`\\b(?:needs?|requires?|i'd like|i would like|i want) (?:\\w+ )?your ${YOU_GIVE}\\b`, 'u'),
  /\bi (?:\w+ )?need (?:you|someone|somebody|a human|a person|an? (?:\w+ )?(?:api key|key|token|password|credentials?|licen[cs]e|account|login)|access|credentials|permission|approval|a decision)\b/u,
  /^(?:\w+[:,] )?i need to know\b/u,
  /\b(?:which|what|how|where)\b.{0,60}\b(?:do you (?:want|prefer|need)|would you (?:prefer|rather)|should i (?:use|take|choose|pick|go with|follow|implement))\b.{0,80}\?$/u,
  /\b(?:until|once|before|unless) you(?: have)? (?:answer|confirm|decide|approve|reply|given|give|provide|tell|respond)/u,
  new RegExp(`\\bwithout (?:you\\b(?! )|you[.,;!]|your ${YOU_GIVE})`, 'u'),
  /\b(?:a human|a person|somebody|someone|the user|the maintainer) (?:has to|must|needs to) (?:confirm|decide|approve|review|sign|provide|choose)\b/u,
  /\b(?:what|which) (?:\w+ ){0,3}(?:would|do) you (?:like|want|prefer)\b(?! me to).{0,60}\?$/u,
  /\b(?:a human|a person|somebody|someone) (?:\w+ ){0,3}(?:has to|must|needs to)\b.{0,60}(?:first|before)/u,
  /\bonly you can\b|\byour decision is needed\b/u,
  /\bich (?:warte auf (?:deine|ihre|eine)|brauche (?:deine|ihre|von dir|von ihnen))\b/u,
  /\bj'attends (?:votre|ta|vos|tes)\b|\bj'ai besoin de (?:votre|ta|vos)\b/u,
  /\bnecesito (?:tu|su|que me)\b|\bespero (?:tu|su)\b/u,
]

/** A person is asked for something. Beside a claim of the end it is only advice ("please run npm ci"). */
export const ASKS: RegExp[] = [
  /(?:^|[,:] |\band |\bso )please (?:\w+ )?(?:provide|confirm|grant|start|add|answer|enter|clarify|give|choose|decide|approve|tell me|tell|supply|set|log in|run|share|send|advise|specify|pick|select|upload|let me know (?:which|what|how|whether|when))\b/u,
  /\b(?:could|can|would) you (?:please )?(?:clarify|confirm|tell me|decide|provide|choose|add|grant|set|give|let me know (?:which|what|how|whether))\b/u,
]

export const WAITS_NOT = /\b(?:no need|not waiting|needn't|without waiting|nothing from you)\b/u

/** It says that it does not get on. The subject is the agent or its work: a blocked request is a feature. */
const ME = "(?:i'm|i am|we're|we are|i remain|i got|am|iteration)"
const MY_WORK = '(?:work|progress|the build|the task|this task|this|everything|further work|it all)'
const ON =
  '(?:proceed|continue|move forward|go on|go further|make (?:any |further |more ){0,3}progress|progress|get past|advance|do anything (?:further|more|else))'
export const STANDS_STILL: RegExp[] = [
  new RegExp(`\\b${ME} (?:\\w+ ){0,2}stuck\\b`, 'u'),
  /^(?:still |completely )?stuck (?:on|at|with|in)\b/u,
  new RegExp(`\\b(?:${ME}|${MY_WORK}(?: is| are| remains)) (?:\\w+ ){0,2}blocked (?:by|on)\\b`, 'u'),
  /^(?:status: )?(?:blocked|stalled|stuck)[.!]?$/u,
  /^status: (?:blocked|stalled|stuck)\b/u,
  new RegExp(
    `\\b(?:i|we) (?:\\w+ )?(?:cannot|can't|can not|could not|couldn't|am unable to|am not able to) ${ON}\\b`,
    'u',
  ),
  new RegExp(`\\b(?:i'm|am|i am|and am|was|we're) (?:unable|not able) to ${ON}\\b`, 'u'),
  new RegExp(
    `\\b(?:no (?:further |more )?progress is possible|impossible to ${ON}|no way (?:forward|around (?:this|it)|to go on))\\b`,
    'u',
  ),
  /\b(?:made|there has been|there was|there is) no (?:further |real |more )?progress\b/u,
  /\b(?:don't|do not) know what else to (?:try|do)\b/u,
  /\bi (?:cannot|can't) do any(?:thing| work)\b/u,
  /\b(?:out of ideas|run out of ideas|no (?:new |more |further )?ideas? (?:left )?(?:to try)?|tried everything|at a dead end|hit a wall|in circles|exhausted (?:all |the |my |every )?(?:options?|ideas?|approach(?:es)?|alternatives?)|not getting anywhere)\b/u,
  /\bich (?:komme nicht (?:mehr )?weiter|stecke fest|bin blockiert)\b/u,
  /\bestoy (?:atascado|atascada|bloqueado|bloqueada)\b/u,
  /\bje suis (?:bloqué|coincé)e?(?!\p{L})/u,
]

/** The halt is over, feared, avoided or somebody else's. In the same sentence. */
export const HALT_RESERVES =
  /\b(?:was|were|had been|no longer|not (?:stuck|blocked)|isn't|aren't|never|avoid|avoids|prevents?|if|unless|might|may|would|could get|until now|but (?:now|then|i|the|it|that|found)|solved|resolved|fixed|unblocked|anymore|any more)\b/u
/** Somewhere in the message: it has a next thing to do, so it does not stand still. */
export const GOES_ON =
  /\b(?:next i'll|next i will|i'll (?:try|do|fix|write|look|go on|continue|start|add|work)|i will (?:try|do|fix|write|look|continue|start|add|work)|is next|(?:comes|follows?) next|for now i|i'm going on|i go on|as a workaround)\b|^next\b/u
