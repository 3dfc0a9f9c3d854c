import { userInfo } from 'node:os'
import { expect, it } from '@jest/globals'
import { personHere } from '../../scripts/operator/person.ts'

it('stands in the records as the user of this machine', () => {
  expect(personHere()).toBe(userInfo().username)
})

it('is the number of an account that has no name, as in a container', () => {
  const nameless = () => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  }
  expect(personHere(nameless)).toBe(`uid ${process.getuid?.()}`)
})
