/**
 * The beginning of a text, as a text of its own. What `slice` gives keeps all of what it was cut from in memory: two
 * hundred characters of a tool's output would hold on to the megabytes of it for as long as we remember them.
 */
export function short(text: string, longest: number): string {
  return text.length <= longest ? text : JSON.parse(JSON.stringify(text.slice(0, longest)))
}
