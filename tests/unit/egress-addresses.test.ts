import { describe, expect, it } from '@jest/globals'
import { isPublicAddress, readAddress } from '../../egress/addresses.ts'

const nobody: ReadonlySet<string> = new Set()

/** Refused as they are written, before any name server is asked; over plain http likewise. */
const REFUSED: Record<string, string[]> = {
  'an IPv4 address that is not public': [
    ...['https://127.0.0.1/', 'https://127.1/', 'https://127.0.1/', 'https://127.255.255.254/'],
    ...['https://0/', 'https://0.0.0.0/', 'https://0.1.2.3/', 'https://0.255.255.255/'],
    ...['https://10.0.0.1/', 'https://10.255.255.255/', 'https://10.1/', 'https://10.0.1/'],
    ...['https://172.16.0.1/', 'https://172.31.255.255/', 'https://172.20.10.1:8443/'],
    ...['https://192.168.0.1/', 'https://192.168.255.255/', 'https://192.168.257/'],
    ...['https://100.64.0.1/', 'https://100.127.255.255/', 'https://100.100.100.200/latest/'],
    ...['https://169.254.169.254/latest/meta-data/', 'https://169.254.170.2/v2/credentials/'],
    ...[
      'https://169.254.170.23/v1/credentials',
      'https://169.254.0.0/',
      'https://169.254.255.255/',
    ],
    ...['https://168.63.129.16/machine?comp=goalstate', 'https://192.0.0.192/opc/v2/instance/'],
    ...[
      'https://192.0.0.0/',
      'https://192.0.0.255/',
      'https://198.18.0.1/',
      'https://198.19.255.255/',
    ],
    ...[
      'https://192.0.2.1/',
      'https://198.51.100.1/',
      'https://203.0.113.1/',
      'https://192.88.99.1/',
    ],
    ...['https://192.31.196.1/', 'https://192.52.193.1/', 'https://192.175.48.1/'],
    ...['https://224.0.0.1/', 'https://239.255.255.250/', 'https://240.0.0.1/'],
    ...['https://254.1.1.1/', 'https://255.255.255.255/'],
  ],
  'an IPv4 address in other clothes': [
    ...[
      'https://2130706433/',
      'https://017700000001/',
      'https://0x7f000001/',
      'https://0X7F000001/',
    ],
    ...['https://0x7f.0.0.1/', 'https://0x7f.1/', 'https://0177.0.0.1/', 'https://0177.1/'],
    ...['https://00000177.1/', 'https://127.0.0.01/', 'https://127.000.000.001/', 'https://0x0/'],
    ...[
      'https://2852039166/',
      'https://0xa9fea9fe/',
      'https://025177524776/',
      'https://169.16689662/',
    ],
    ...[
      'https://0251.0376.0251.0376/',
      'https://0xa9.0xfe.0xa9.0xfe/',
      'https://0xa9.254.0251.254/',
    ],
    ...[
      'https://127.0.0.1./',
      'https://127.0.0.1../',
      'https://10.0.0.1.:8443/',
      'https://2130706433./',
    ],
    ...[
      'https://127。0。0。1/',
      'https://127．0．0．1/',
      'https://127｡0｡0｡1/',
      'https://127.0。0．1/',
    ],
    ...['https://１２７.0.0.1/', 'https://①②⑦.⓪.⓪.①/', 'https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/', 'https://127.0.0.¹/'],
    ...['https://%31%32%37.0.0.1/', 'https://127%2e0%2e0%2e1/', 'https://127%E3%80%820.0.1/'],
    ...['https://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1/', 'https://12\u00ad7.0.0.1/'],
    ...['https://12\u200b7.0.0.1/', 'https://127.0.0.1%00/', 'https://127.0.0.1%20/'],
    ...['https://256.256.256.256/', 'https://1.2.3.4.5/', 'https://4294967296/', 'https://0x/'],
    ...['https://127.0.0.0x1/', 'https://1.2.3.08/', 'https://-127.0.0.1/', 'https://127.0.0.1,1/'],
  ],
  'an IPv6 address that is not public': [
    ...['https://[::1]/', 'https://[::]/', 'https://[0:0:0:0:0:0:0:1]/', 'https://[0::1]:8443/'],
    ...['https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/', 'https://[::FFFF:A9FE:A9FE]/'],
    ...[
      'https://[::ffff:a9fe:a9fe]/',
      'https://[0:0:0:0:0:ffff:10.0.0.1]/',
      'https://[::127.0.0.1]/',
    ],
    ...[
      'https://[::ffff:93.184.216.34]/',
      'https://[::93.184.216.34]/',
      'https://[::ffff:0:127.0.0.1]/',
    ],
    ...[
      'https://[64:ff9b::7f00:1]/',
      'https://[64:ff9b::169.254.169.254]/',
      'https://[64:ff9b:1::a00:1]/',
    ],
    ...[
      'https://[64:ff9b::93.184.216.34]/',
      'https://[2002:7f00:1::]/',
      'https://[2002:a9fe:a9fe::1]/',
    ],
    ...['https://[2001:0:a9fe:a9fe::1]/', 'https://[2001::1]/', 'https://[2001:1ff:ffff::1]/'],
    ...[
      'https://[fe80::1]/',
      'https://[fe80::1%25eth0]/',
      'https://[fe80::1%eth0]/',
      'https://[febf::1]/',
    ],
    ...[
      'https://[fc00::1]/',
      'https://[fd00:ec2::254]/latest/meta-data/',
      'https://[fd20:ce::254]/',
    ],
    ...['https://[fec0::1]/', 'https://[ff02::1]/', 'https://[ff0e::1]/', 'https://[100::1]/'],
    ...['https://[2001:db8::1]/', 'https://[2001:db8:ffff::1]/', 'https://[2001:2::1]/'],
    ...['https://[2001:10::1]/', 'https://[2001:20::1]/', 'https://[2001:4:112::1]/'],
    ...['https://[3fff::1]/', 'https://[3fff:fff::1]/', 'https://[2620:4f:8000::1]/'],
    ...['https://[5f00::1]/', 'https://[4000::1]/', 'https://[1fff::1]/', 'https://[::2:0:0:0:0]/'],
    ...['https://[2606:4700::1111%25lo]/', 'https://[v1.fe80::a]/', 'https://[127.0.0.1]/'],
  ],
  'a name of an internal network': [
    ...[
      'https://localhost/',
      'https://LOCALHOST/',
      'https://localhost./',
      'https://localhost:8443/',
    ],
    ...[
      'https://loc%61lhost/',
      'https://ｌｏｃａｌｈｏｓｔ/',
      'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
      'https://loc\u00adalhost/',
    ],
    ...['https://a.localhost/', 'https://localhost.localdomain/', 'https://hooks.localhost./'],
    ...[
      'https://metadata.google.internal/computeMetadata/v1/',
      'https://METADATA.GOOGLE.INTERNAL./',
    ],
    ...['https://metadata.google。internal/', 'https://metadata.google.interna%6c/'],
    ...['https://metadata/', 'https://kubernetes.default.svc/', 'https://a.svc.cluster.local/'],
    ...['https://redis/', 'https://redis./', 'https://postgres:5432/', 'https://printer.local/'],
    ...[
      'https://1.0.0.127.in-addr.arpa/',
      'https://router.home.arpa/',
      'https://nas.lan/',
      'https://nas.home/',
    ],
    ...[
      'https://wiki.corp/',
      'https://wiki.intranet/',
      'https://db.private/',
      'https://vault.consul/',
    ],
    ...[
      'https://a.test/',
      'https://a.invalid/',
      'https://a.example/',
      'https://a.onion/',
      'https://a.alt/',
    ],
    ...[
      'https://a..b/',
      'https://.example.org/',
      'https://example..org/',
      'https://example.org../',
    ],
    ...[
      `https://${'a'.repeat(64)}.org/`,
      `https://${'a.'.repeat(126)}org/`,
      'https://-a.example.org/',
    ],
    ...['https://a.b-/', 'https://example.o_g/', 'https://exa*mple.org/', 'https://exa,mple.org/'],
  ],
  'an address that plays with the parser': [
    ...['https://user:pass@hooks.example.org/', 'https://user@hooks.example.org/'],
    ...['https://@hooks.example.org/', 'https://:@hooks.example.org/', 'https://:@127.0.0.1/'],
    ...['https://hooks.example.org@127.0.0.1/', 'https://hooks.example.org:443@127.0.0.1/'],
    ...['https://hooks.example.org%40127.0.0.1/', 'https://127.0.0.1#@hooks.example.org/'],
    ...[
      'https://hooks.example.org#',
      'https://hooks.example.org/#',
      'https://hooks.example.org/a#b',
    ],
    ...['https://hooks.example.org#@127.0.0.1/', 'https://hooks.example.org\\@127.0.0.1/'],
    ...[
      'https:\\\\hooks.example.org/',
      'https://hooks.example.org\\.evil.org/',
      'https:/\\127.0.0.1/',
    ],
    ...['https:127.0.0.1/', 'https:/127.0.0.1/', 'https:///127.0.0.1/', 'https:hooks.example.org/'],
    ...[
      'https:///hooks.example.org/',
      'https:////hooks.example.org/',
      'https://?hooks.example.org',
    ],
    ...['https://hooks.example.org%00.127.0.0.1/', 'https://hooks.example.org%0a/', 'https://[::1'],
    ...['https://[hooks.example.org]/', 'https://::1/', 'https://hooks.example.org:443:80/'],
    ...[
      'https://hooks.example.org\n@127.0.0.1/',
      'https://hooks.example.org\u0000/',
      'ht\ntps://a.org/',
    ],
    ...[
      'https://hooks.exa\tmple.org/',
      ' https://hooks.example.org/',
      'https://hooks.example.org/ ',
    ],
    ...[
      'https://hooks.example.org/a b',
      'https://hooks.example.org/\r\nHost:a',
      '\u0001https://a.org/',
    ],
    ...[
      'https://hooks.example.org/\u007f',
      'https://hooks.example.org/\u0085',
      'https://a.org/\u2028',
    ],
    ...[
      'https://hooks.example.org/\u00a0',
      'https://hooks.example.org/\u3000',
      'https://a.org/\u0000',
    ],
    ...[
      '//hooks.example.org/',
      '/hooks.example.org',
      'hooks.example.org',
      '',
      '#',
      'https://',
      'https:',
    ],
    ...[`https://hooks.example.org/${'a'.repeat(4_096)}`, 'https://exa%mple.org/', 'https://%/'],
  ],
  'another scheme or a port of the system': [
    ...['file:///etc/passwd', 'file://hooks.example.org/', 'gopher://127.0.0.1:6379/_INFO'],
    ...[
      'dict://127.0.0.1:11211/stat',
      'ftp://hooks.example.org/',
      'data:text/plain,x',
      'blob:https://a.org/1',
    ],
    ...[
      'javascript:alert(1)',
      'http+unix://%2Fvar%2Frun%2Fdocker.sock/info',
      'unix:/var/run/docker.sock',
    ],
    ...[
      'ws://hooks.example.org/',
      'wss://hooks.example.org/',
      'jar:https://a.org!/',
      'about:blank',
    ],
    ...[
      'view-source:https://a.org/',
      'httpss://a.org/',
      'h://a.org/',
      'ldap://a.org/',
      'tftp://a.org/',
    ],
    ...[
      'https://hooks.example.org:22/',
      'https://hooks.example.org:0/',
      'https://hooks.example.org:25/',
    ],
    ...[
      'https://hooks.example.org:80/',
      'https://hooks.example.org:1023/',
      'http://hooks.example.org:443/',
    ],
    ...[
      'http://hooks.example.org:22/',
      'http://hooks.example.org:81/',
      'https://hooks.example.org:65536/',
    ],
    ...['https://hooks.example.org:-1/', 'https://hooks.example.org:8443a/', 'https://a.org:٤٤٣/'],
    ...[
      'https://93.184.216.34:22/',
      'https://[2606:4700::1111]:22/',
      'https://hooks.example.org:00022/',
    ],
  ],
}

const PUBLIC: [written: string, read: string][] = [
  ['https://hooks.example.org', 'https://hooks.example.org/'],
  ['HTTPS://HOOKS.Example.ORG/Path?q=1', 'https://hooks.example.org/Path?q=1'],
  ['https://hooks.example.org:443/', 'https://hooks.example.org/'],
  ['https://hooks.example.org:1024/', 'https://hooks.example.org:1024/'],
  ['https://hooks.example.org:65535/', 'https://hooks.example.org:65535/'],
  ['https://hooks.example.org./', 'https://hooks.example.org./'],
  ['https://hooks.example.org/a@b', 'https://hooks.example.org/a@b'],
  [
    'https://hooks.example.org/?to=http://127.0.0.1/',
    'https://hooks.example.org/?to=http://127.0.0.1/',
  ],
  ['https://bücher.example.org/', 'https://xn--bcher-kva.example.org/'],
  ['https://例え.テスト.jp/', 'https://xn--r8jz45g.xn--zckzah.jp/'],
  ['https://a_b.example.org/', 'https://a_b.example.org/'],
  ['https://localhost.example.org/', 'https://localhost.example.org/'],
  ['https://7f000001.1u.ms/', 'https://7f000001.1u.ms/'],
  ['https://93.184.216.34/', 'https://93.184.216.34/'],
  ['https://1572395042/', 'https://93.184.216.34/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  [`https://${'a'.repeat(63)}.org/`, `https://${'a'.repeat(63)}.org/`],
]

const cases = Object.entries(REFUSED).flatMap(([kind, texts]) =>
  texts.map((text) => ({ kind, text, shown: encodeURI(text).slice(0, 60) })),
)

describe('an address that a user wrote', () => {
  it.each(cases)('is refused as $kind: $shown', ({ text }) => {
    expect(readAddress(text, { allowHttp: false, allow: nobody })).toBeNull()
    expect(readAddress(text, { allowHttp: true, allow: nobody })).toBeNull()
    const plain = text.replace(/^https:(?!.*:\d+\/)/i, 'http:')
    expect(readAddress(plain, { allowHttp: true, allow: nobody })).toBeNull()
  })

  it.each(PUBLIC)('is read when it is public: %s', (written, read) => {
    expect(readAddress(written, { allowHttp: false, allow: nobody })?.href).toBe(read)
  })

  it('may be plain http only where that is allowed', () => {
    for (const text of ['http://hooks.example.org/', 'http://hooks.example.org:8080/']) {
      expect(readAddress(text, { allowHttp: true, allow: nobody })?.href).toBe(text)
      expect(readAddress(text, { allowHttp: false, allow: nobody })).toBeNull()
    }
  })
})

describe('an allowed host and port', () => {
  const allow = new Set(['127.0.0.1:9000', '[::1]:9001', 'receiver:80', 'localhost:443'])
  const rules = { allowHttp: false, allow }

  it.each([
    ...['http://127.0.0.1:9000/a', 'https://127.0.0.1:9000/', 'http://2130706433:9000/'],
    ...['http://[::1]:9001/', 'http://[0:0::1]:9001/', 'http://receiver/', 'http://RECEIVER:80/'],
    ...['https://localhost/', 'http://localhost:443/'],
  ])('is read: %s', (text) => {
    expect(readAddress(text, rules)).not.toBeNull()
  })

  it.each([
    ...[
      'http://127.0.0.1:9001/',
      'http://127.0.0.2:9000/',
      'http://127.0.0.1/',
      'https://receiver/',
    ],
    ...[
      'http://[::1]:9000/',
      'http://localhost/',
      'http://a.localhost:443/',
      'http://receiver.:80/',
    ],
    ...['http://user@127.0.0.1:9000/', 'http://127.0.0.1:9000/#a', 'ftp://127.0.0.1:9000/'],
    ...['http:127.0.0.1:9000/', 'http://127.0.0.1:9000/ a', 'http://hooks.example.org:9000/'],
  ])('opens nothing else: %s', (text) => {
    expect(readAddress(text, rules)).toBeNull()
  })
})

describe('an IP address', () => {
  it.each([
    ...['93.184.216.34', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255'],
    ...['100.128.0.0', '126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17'],
    ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0'],
    ...['192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
    ...['198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
    ...['223.255.255.255', '2000::1', '2001:200::1', '2001:db7:ffff::1', '2001:db9::1'],
    ...['2003::1', '2620:4f:7fff::1', '2620:4f:8001::1', '2606:4700:4700::1111'],
    ...['2a00:1450:4001:82a::200e', '3ffe:ffff::1', '3fff:1000::1'],
  ])('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ...['', 'localhost', '127.0.0.1', '1.1.1', '01.1.1.1', '1.1.1.1 ', '1.1.1.1:80', '[2000::1]'],
    ...['2606:4700::1%eth0', 'fe80::1%1', '::ffff:1.1.1.1', '::1.1.1.1', '64:ff9b::1.1.1.1'],
    ...['2002:101:101::', '2001::101:101', '::', '::1', 'ffff::', '4000::', '1fff:ffff::'],
  ])('is none of the public ones: %j', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
