/** `a torn last line is dropped [journal-torn-line] [journal-says]`: the ids at the end of a title. */
export function citedIn(title: string): string[] {
  const tail = title.match(/(?:\s*\[[^[\]]*\])+\s*$/)?.[0] ?? ''
  return [...tail.matchAll(/\[([^[\]]*)\]/g)]
    .map(([, id]) => id ?? '')
    .filter(id => /^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))
}
