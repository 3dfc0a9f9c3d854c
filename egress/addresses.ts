import { BlockList, isIP } from 'node:net'
import { readUrl } from '../core/urls.ts'

/** The message for every refused address; it tells nothing about what is behind it. */
export const REFUSAL = 'The address must be public: a name that resolves to public addresses only.'

type Rules = {
  allowHttp: boolean
  /** `host:port` as `endpointOf` writes it: reachable although private, and over plain http. */
  allow: ReadonlySet<string>
}

const lengthMax = 4_096
const nameLengthMax = 253
const userPortMin = 1_024

/**
 * Parses an address that a user gave; null when it is refused as written. A name that passes still has to
 * resolve to public addresses.
 */
export function readAddress(text: string, { allowHttp, allow }: Rules): URL | null {
  // The URL parser silently drops or converts some of these, which a human reader would not notice.
  if (text.length > lengthMax || /[\p{Cc}\p{Z}\\#]/u.test(text)) return null
  const authority = /^https?:\/\/([^/?]+)/i.exec(text)?.[1]
  if (authority === undefined || authority.includes('@')) return null
  const url = readUrl(text)
  if (!url) return null
  if (allow.has(endpointOf(url))) return url
  if (url.protocol !== 'https:' && !allowHttp) return null
  const mayServe = url.port === '' || Number(url.port) >= userPortMin
  return mayServe && isPublicHost(bareHost(url.hostname)) ? url : null
}

/** `example.org:443`, `127.0.0.1:80` or `[::1]:80`. */
export function endpointOf(url: Pick<URL, 'protocol' | 'hostname' | 'port'>): string {
  return `${url.hostname}:${portOf(url)}`
}

/** The port, also where the URL leaves it out. */
export function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** The host without the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Whether a text is an IP address on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !SPECIAL_IPV4.check(address, 'ipv4')
  // A zone refers to an interface of this machine.
  if (family !== 6 || address.includes('%')) return false
  return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6')
}

function isPublicHost(host: string): boolean {
  return isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host)
}

/** Has a dot and labels valid in DNS, and none of the endings of internal networks. */
function isPublicName(name: string): boolean {
  const labels = name.replace(/\.$/, '').split('.')
  const top = labels.at(-1) ?? ''
  return (
    name.length <= nameLengthMax &&
    labels.length >= 2 &&
    labels.every((label) => /^\w([\w-]{0,61}\w)?$/.test(label)) &&
    /^([a-z]{2,63}|xn--[a-z\d-]+)$/.test(top) &&
    !INTERNAL_ENDINGS.has(top)
  )
}

/** Reserved for special use, or commonly used within networks. */
const INTERNAL_ENDINGS = new Set([
  ...['alt', 'arpa', 'example', 'invalid', 'local', 'localhost', 'onion', 'test'],
  ...['consul', 'corp', 'domain', 'home', 'internal', 'intranet', 'lan', 'localdomain'],
  ...['mail', 'private', 'svc', 'workgroup'],
])

/** IANA's special-purpose registry, and one address used by a cloud provider. */
const SPECIAL_IPV4 = subnets('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])

/**
 * All address space allocated to the public; addresses that embed an IPv4 address are outside of it or listed
 * below.
 */
const GLOBAL_IPV6 = subnets('ipv6', [['2000::', 3]])
const SPECIAL_IPV6 = subnets('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
])

function subnets(family: 'ipv4' | 'ipv6', ranges: [network: string, bits: number][]): BlockList {
  const list = new BlockList()
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family)
  return list
}
