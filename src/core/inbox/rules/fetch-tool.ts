import type { Rule } from '../../../contract/rule.ts'
import { fieldOf } from './file-tool.ts'
import type { RulesInForce } from './in-force.ts'
import { asks, type Finding, shown } from './permission.ts'

export function judgeFetch(input: unknown, rules: RulesInForce): Finding[] {
  const address = readAddress(fieldOf(input, 'url'))
  const denied = rules.deny.find(
    rule => rule.tool === 'WebFetch' && (rule.pattern === null || (address && isAt(address.host, rule, true))),
  )
  if (denied)
    return [{ effect: 'deny', rule: denied.id, why: `rule ${denied.id} denies ${address?.host ?? 'WebFetch'}` }]
  if (!address?.plain) return [asks('the address is not a plain http or https one')]
  const { host } = address
  const allowed = rules.allow.find(rule => rule.tool === 'WebFetch' && isAt(host, rule, false))
  if (allowed) return [{ effect: 'allow', rule: allowed.id, why: `rule ${allowed.id} allows ${shown(host)}` }]
  const asked = rules.ask.find(rule => rule.tool === 'WebFetch' && isAt(host, rule, false))
  if (asked) return [asks(`rule ${asked.id} asks before ${shown(host)}`, asked.id)]
  return [asks(`no rule matches fetching from ${shown(host)}`)]
}

type Address = { host: string; plain: boolean }

/** `plain`: nothing in it that could make two readers see two hosts, no password, no port of its own. */
export function readAddress(url: unknown): Address | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null
  const { protocol, hostname, username, password, port } = new URL(url)
  const named = /^https?:\/\/([a-z0-9.-]+)(?:[/?#][\x21-\x7e]*)?$/i.exec(url)?.[1]?.toLowerCase()
  const web = protocol === 'http:' || protocol === 'https:'
  const plain = web && username + password + port === '' && named === hostname && !url.includes('\\')
  return { host: hostname.replace(/\.$/, ''), plain: plain && !hostname.endsWith('.') }
}

/** A domain means that host. Denying, it means its subdomains too; `*.` means only these. */
function isAt(host: string, { pattern }: Rule, denies: boolean): boolean {
  if (pattern === null) return true
  const domain = pattern.slice('domain:'.length)
  if (domain.startsWith('*.')) return host.endsWith(domain.slice(1)) && host.length > domain.length - 1
  return host === domain || (denies && host.endsWith(`.${domain}`))
}
