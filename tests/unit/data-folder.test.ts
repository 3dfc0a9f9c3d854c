import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { inDataFolder } from '../../core/make-folder.ts'

describe('work in the data folder', () => {
  it('that finds the disk full names the setting', async () => {
    const work = inDataFolder('/data', () => writeFile('/dev/full', 'x'))
    await expect(work).rejects.toThrow(/^DATA_DIR is \/data, which cannot be used: ENOSPC: /)
  })

  it('does not blame the folder for a fault of the network', async () => {
    const work = inDataFolder('/data', () => once(connect(1, '127.0.0.1'), 'connect'))
    await expect(work).rejects.toThrow(/^connect ECONNREFUSED /)
  })
})
