// Patterns for sentences as `sentencesOf` gives them: small letters, at most 600 characters, nothing shown or quoted.
// Gaps are bounded, so that each pattern's work is.

const REACHED = '(?:completed?|done|finished|achieved|satisfied|fulfilled|met|checked off|ticked(?: off)?)'
// "Implemented" alone says that code was written: it counts only of what was demanded.
const REACHED_OR_BUILT = `(?:${REACHED}|implemented|in place|covered)`
const BE = "(?:is|are|has been|have been|'s|were)"
const NOW = '(?:(?:now|all|fully|successfully|also|finally|therefore|thus|100%) ){0,3}'
/** What the whole of the task is called. A "part", a "phase" or "the backend" is not in it. */
const WHOLE =
  '(?:implementation|task|work|migration|project|goal|feature|documentation|assignment|job|objective|rewrite)'
const DEMANDS = '(?:requirements?|acceptance criteri(?:a|on)|criteri(?:a|on)|objectives?|goals?|features?|deliverables)'
const UNITS = '(?:tasks?|todo items|todos|work|items?|steps?|points|boxes|work items)'
const COUNT = '(?:(?:\\d{1,4}|two|three|four|five|six|seven|eight|nine|ten) )?'
const ALL = `(?:all|every|both)(?: of)?(?: the| these| my| your)? ?${COUNT}(?:(?:planned|requested|required|specified|listed|documentation|pages|assigned) )?`
/** Of what: only the names of the whole. "Of TASK-002", "for this iteration" are not. */
const OF_IT =
  '(?: (?:(?:in|from|of|on|described in|listed in) (?:the|your|my) (?:anchor|plan|checklist|list|task list|spec|specification|task|project|issue|brief|rewrite|migration|tasks\\.md)|that was asked(?: for)?|requested))?'
const FROM_TO = '(?: from \\w{1,20} to \\w{1,20})?'
const BEGIN = '(?:^|[,:] |\\band |\\bso |^with (?:\\w+ ){1,6})'

/** Says that the whole task has been reached. `named` is what the speaker calls it: the caller looks whether it is that. */
export const CLAIMS: RegExp[] = [
  new RegExp(`${BEGIN}${ALL}${DEMANDS}${OF_IT}(?: ${BE})? ${NOW}(?:${REACHED_OR_BUILT}|pass)`, 'u'),
  new RegExp(`${BEGIN}${ALL}${UNITS}${OF_IT}(?: ${BE})? ${NOW}${REACHED}`, 'u'),
  new RegExp(`${BEGIN}everything${OF_IT} ${BE} ${NOW}${REACHED_OR_BUILT}`, 'u'),
  /^all (?:is )?done/u,
  new RegExp(
    `${BEGIN}(?:the|this) (?:whole |entire |full |(?<named>[\\p{L}-]{1,20}) )?${WHOLE}${FROM_TO} ${BE} ${NOW}${REACHED}`,
    'u',
  ),
  // Without a verb it is a title when a list follows ("Work done:").
  new RegExp(`^(?:(?:final )?status: )?${WHOLE} ${NOW}${REACHED}(?!:)`, 'u'),
  /(?:^|[,:] |\band )(?:there is |there's )?nothing (?:is |else is |else )?(?:left|remains)(?: to do)?(?: for this task)?/u,
  /(?:^|[,:] |\band )(?:there is |there's )?no (?:remaining work|tasks? remains?(?: in tasks\.md)?|tasks? (?:are |is )?left|further work is (?:needed|required|left)|work remains)/u,
  new RegExp(
    `\\bi(?:'ve| have) ${NOW}(?:completed|finished|implemented) (?:everything${OF_IT}|${ALL}(?:${DEMANDS}|${UNITS})${OF_IT}|the (?:whole |entire )?(?:task|migration|implementation|project)${FROM_TO})`,
    'u',
  ),
  /^(?:and )?(?:that|this) completes the (?:whole |entire )?(?:task|work|project|migration|implementation)/u,
  /\balle (?:aufgaben|kriterien|anforderungen) (?:sind |wurden )?(?:jetzt |nun )?(?:abgeschlossen|erledigt|erfüllt|umgesetzt|fertig)/u,
  /\bdie (?:implementierung|aufgabe|arbeit|umsetzung) ist (?:jetzt |nun |damit )?(?:abgeschlossen|fertig|erledigt|komplett)/u,
  /\btoutes les tâches (?:sont|ont été) (?:maintenant )?(?:terminées|achevées|complétées)/u,
  /\bl'implémentation est (?:maintenant )?(?:terminée|achevée|complète)/u,
  /\btodas las tareas (?:están|han sido|fueron) (?:ya )?(?:completadas|terminadas|completas|finalizadas)/u,
  /\bla implementación está (?:completa|terminada|completada)/u,
  /\btutte le attività sono (?:state )?(?:completate|terminate|concluse)/u,
  /\btodas as tarefas (?:estão|foram) (?:concluídas|completas|finalizadas)/u,
  /^(?:所有任务(?:都)?已(?:经)?(?:全部)?完成|すべてのタスクが完了しました)/u,
]

/** How a sentence may go on behind a claim. "In the tokenizer", "by the design", "for now" make it a smaller one. */
export const AFTER_CLAIM =
  /^(?:$|[.!;:,。！]|\s(?:and|here|now|successfully|as specified|on all counts|with)(?![\p{L}-]))/u

/** Takes a claim back: negation, condition, future, part, doubt, somebody else's word. In the same sentence. */
export const RESERVES: RegExp[] = [
  /\b(?:not|never|cannot|none|neither|nor|in no way|without)\b|n't\b/u,
  /\b(?:if|once|when|whenever|until|till|unless|after|before|as soon as|provided|assuming|depends|pending|subject to|then|while)\b/u,
  /\b(?:will|shall|going to|about to|to be|has to|have to|need|needs|must|want|plan to|next|later|soon|tomorrow|upcoming)\b|'ll\b|\bto (?:follow|come)\b/u,
  /\b(?:should|might|may|could|would|can|probably|likely|perhaps|maybe|seems?|appears?|looks?|think|believe|guess|hopefully|hope|presumably|apparently|as far as|suppose|expect)\b/u,
  /\b(?:almost|nearly|mostly|partly|partially|partial|half|halfway|some|most|largely|basically|essentially|roughly|about|approximately|virtually|practically|just about|so far|many|several)\b/u,
  /\b(?:but|except|excluding|however|although|though|apart from|aside from|other than|besides|yet|still|minus|modulo|save for|other|rest|only|open)\b/u,
  /\b(?:remaining|outstanding|missing|far from|untested|unverified|incomplete|unfinished|blocked|skipped|stubbed|placeholder)\b/u,
  /\b(?:this|each|current|last|previous|earlier|first|second|third|initial|one) (?:iteration|session|turn|round|phase|part|step|pass|stage|milestone|batch|half|sprint)\b/u,
  /\b(?:phase|part|stage|milestone|iteration|step|subtask|chapter|batch) \d/u,
  /\b(?:backend|frontend|back-end|front-end|core|basic|initial|preliminary|first|minimal|draft|planning|plan|prototype|server-side|client-side|scaffold(?:ing)?|subagent|refactoring|preparation|preparatory|research|analysis|design|base) (?:[a-z]+ )?(?:implementation|task|work|feature|fix|migration|project|goal|is|part)\b/u,
  /\b(?:means|mean|definition|claims?|claimed|says?|said|reports?|reported|notes?|according|anchor says|write|wrote|prints?|message|checklist for|shown when)\b/u,
  /\bshown\b.{0,40}\b(?:complete|done)/u,
  /\b(?:today|for now|for the moment|at the moment|in principle|in theory|locally only)\b/u,
  /\?$/u,
  /\b(?:nicht|noch|kein|keine|sobald|wenn|falls|bis|fast|teil|teilweise|wird|werden|sollte|sollten|vermutlich|wahrscheinlich|außer|aber|nahezu|nur|fehlt|fehlen|offen)\b/u,
  /\b(?:pas|encore|presque|sauf|quand|lorsque|dès|sera|seront|devrait|devraient|mais|si|seulement|manque|manquent)\b/u,
  /(?<!\p{L})(?:todavía|aún|casi|excepto|cuando|será|serán|debería|deberían|pero|solo|falta|faltan|manca|mancano|ainda|não|quase|quando|non|ancora|quasi|tranne|saranno|sarà)(?!\p{L})/u,
  /(?:未|没有|还|尚|如果|まだ)/u,
]
