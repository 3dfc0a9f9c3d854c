import { describe, expect, it } from '@jest/globals'
import { filenameOf } from '../../egress/filename.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

const url = new URL('https://files.example.org/a/from-url.pdf?x=1')

describe("a file's name", () => {
  it.each([
    ['attachment; filename="report.pdf"', 'report.pdf'],
    ['attachment; filename=report.pdf', 'report.pdf'],
    ['ATTACHMENT;FILENAME=report.pdf', 'report.pdf'],
    ['inline ; filename = "a b; c.pdf" ; size=3', 'a b; c.pdf'],
    ['attachment; filename="a \\"b\\" \\\\ c.pdf"', 'a "b" \\ c.pdf'],
    ['attachment; filename="C:\\temp\\a.pdf"', 'C:\\temp\\a.pdf'],
    ["attachment; filename*=UTF-8''%e2%82%ac%20rates.pdf", '€ rates.pdf'],
    ["attachment; filename*=utf-8'en'a.pdf", 'a.pdf'],
    ["attachment; filename*=iso-8859-1''na%EFve.pdf", 'naïve.pdf'],
    ["attachment; filename=plain.pdf; filename*=UTF-8''better.pdf", 'better.pdf'],
    ["attachment; filename*=UTF-8''better.pdf; filename=plain.pdf", 'better.pdf'],
    ["attachment; filename*=UTF-8''%ff%fe; filename=plain.pdf", 'plain.pdf'],
    ["attachment; filename*=UTF-8''%; filename=plain.pdf", 'plain.pdf'],
    ["attachment; filename*=koi8-r''%c1; filename=plain.pdf", 'plain.pdf'],
    ['attachment; filename*=nonsense; filename=plain.pdf', 'plain.pdf'],
    ['attachment; filename=first.pdf; filename=second.pdf', 'first.pdf'],
    [`attachment; filename="${Buffer.from('€.pdf').toString('latin1')}"`, '€.pdf'],
    ['attachment; filename="na\u00efve.pdf"', 'naïve.pdf'],
    ['attachment; filename="../../etc/passwd"', '../../etc/passwd'],
  ])('is read from %j', (disposition, name) => {
    expect(filenameOf(disposition, url)).toBe(name)
  })

  it.each([
    ...[null, '', 'attachment', 'attachment; filename', 'attachment; filename=', 'filename=a.pdf'],
    ...['attachment; filename=""', 'attachment; name="a.pdf"', 'attachment; xfilename=a.pdf'],
    ...[`attachment; ${'a'.repeat(4_096)}; filename=a.pdf`, 'attachment; filename="a.pdf'],
  ])('is that of the address when there is none in %j', (disposition) => {
    expect(filenameOf(disposition, url)).toBe('from-url.pdf')
  })

  it.each([
    ['https://files.example.org/', null],
    ['https://files.example.org/folder/', null],
    ['https://files.example.org', null],
    ['https://files.example.org/%E2%82%AC.pdf#a', '€.pdf'],
    ['https://files.example.org/a%2Fb%00.pdf', 'a/b\u0000.pdf'],
    ['https://files.example.org/%ff.pdf', null],
    ['https://files.example.org/100%25.pdf', '100%.pdf'],
    ['https://files.example.org/a;b=c.pdf?name=d.pdf', 'a;b=c.pdf'],
  ])('of the address %s is %j', (address, name) => {
    expect(filenameOf(null, new URL(address))).toBe(name)
  })

  it.each(['; a="', '\\"', ';;=', "; filename*=UTF-8''", '; a=" \\'])(
    'is found in time in proportion to the header, also if it is %j over and over',
    async (part) => {
      const growth = await growthOf(4_096, (times) => {
        const header = part.repeat(times)
        return () => filenameOf(header, url)
      })
      expect(growth).toBeLessThan(LINEAR_MOST)
    },
  )
})
