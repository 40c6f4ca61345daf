/** Durations, costs and times as people read them. */

export function durationWords(ms: number): string {
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, '0')} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} m`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Time ago, in one unit: exact seconds of something long past help nobody. */
export function agoWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ago`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

export function costWords(usd: number): string {
  if (usd === 0) return '$0'
  if (usd < 0.0001) return '<$0.0001'
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`
}

/** Tokens as people compare them: 850, 12k, 1.3M. */
export function tokenWords(count: number): string {
  if (count < 1000) return String(Math.round(count))
  if (count < 999_500) return `${count < 9_950 ? (count / 1000).toFixed(1) : Math.round(count / 1000)}k`
  return `${(count / 1e6).toFixed(1)}M`
}

/** `1 turn`, `2 turns`. */
export function numberOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

export function bytesWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
