import { describe, expect, it } from '@jest/globals'
import { cleanFilename, filenameFor } from '../../capabilities/media/filenames.ts'

describe('a file name', () => {
  it.each([
    ['a.png', 'a.png'],
    ['/etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['a/', null],
    ['.', null],
    ['...', null],
    ['   ', null],
    ['', null],
    ['\0', null],
    [' a b .png ', 'a b .png'],
    ['.htaccess', '.htaccess'],
    ['a\u0000b\u001f\u007f\u0085.png', 'ab.png'],
    ['a\u202e\u2066gnp.exe', 'agnp.exe'],
    ['\ufeffa\u200d.png', 'a.png'],
    ['a\ud800.png', 'a.png'],
    ['cafe\u0301.txt', 'caf\u00e9.txt'],
    [
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt',
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt',
    ],
    ['👩\u200d👧.png', '👩\u200d👧.png'],
    ['é\u200c.p\u200dng\u200d', 'é.png'],
    ['🚲'.repeat(255), '🚲'.repeat(255)],
    ['🚲'.repeat(256), '🚲'.repeat(255)],
    [`${'n'.repeat(300)}.tar.gz`, `${'n'.repeat(252)}.gz`],
  ])('%j is kept as %j', (given, expected) => {
    expect(cleanFilename(given)).toBe(expected)
  })

  it.each<[string | null, string | null, string, string]>([
    ['mine', 'theirs.png', 'image/png', 'mine'],
    ['..', 'theirs.png', 'image/png', 'theirs.png'],
    [null, 'theirs', 'image/png', 'theirs.png'],
    [null, 'theirs.PNG', 'image/png', 'theirs.PNG'],
    [null, null, 'text/plain', 'file.txt'],
    [null, '/', 'application/pdf', 'file.pdf'],
    [null, null, 'application/x-odd', 'file'],
    [null, 'n'.repeat(255), 'image/png', `${'n'.repeat(251)}.png`],
  ])('chosen as %j, found as %j, of the type %s is %j', (chosen, found, mimeType, expected) => {
    expect(filenameFor(chosen, found, mimeType)).toBe(expected)
  })
})
