/** One server-sent event. Comments, which only keep a connection alive, are not given out. */
type ServerSent = { id: string; data: string }

/** Cuts a stream of text into server-sent events. */
export async function* serverSent(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<ServerSent> {
  const decoder = new TextDecoder()
  let held = ''
  for await (const part of stream) {
    held += typeof part === 'string' ? part : decoder.decode(part, { stream: true })
    for (let end = held.indexOf('\n\n'); end !== -1; end = held.indexOf('\n\n')) {
      const event = parse(held.slice(0, end))
      held = held.slice(end + 2)
      if (event) yield event
    }
  }
}

function parse(block: string): ServerSent | null {
  let id = ''
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice(4)
    if (line.startsWith('data: ')) data.push(line.slice(6))
  }
  return data.length > 0 ? { id, data: data.join('\n') } : null
}
