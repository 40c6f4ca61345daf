const EVERYTHING = ['', '*']
// Names, and lists of them: what holds nothing else is no regular expression to the client, so `Bas` is not `Bash`.
const NAMES = /^[\w\s,|-]+$/

/** Does a matcher want this tool, source, reason or error? An event that is about none of these has no subject. */
export function matches(matcher: string, subject: string | undefined): boolean {
  if (subject === undefined || EVERYTHING.includes(matcher)) return true
  if (NAMES.test(matcher)) {
    return matcher
      .split(/[|,]/)
      .map(name => name.trim())
      .includes(subject)
  }
  try {
    return new RegExp(matcher).test(subject)
  } catch {
    return false
  }
}
