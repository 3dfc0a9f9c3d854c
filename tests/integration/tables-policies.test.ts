import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { allRows, applySql, filtersOf } from '../support/tables.ts'

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

it('deletes the rows that a policy lets be deleted, though none lets them be updated', async () => {
  const { client } = project
  await applySql(
    service,
    project,
    `CREATE TABLE kept (id integer PRIMARY KEY); INSERT INTO kept VALUES (1), (2), (3);
     ALTER TABLE kept ENABLE ROW LEVEL SECURITY;
     CREATE POLICY seen ON kept FOR SELECT USING (true);
     CREATE POLICY gone ON kept FOR DELETE USING (id < 3);`,
  )
  const path = { table: 'kept' }
  const filters = filtersOf({ column: 'id', op: 'gt', value: 0 })
  const tooMany = { path, query: { filters, max_rows: 2 } }
  await client.refused('deleteRows', 'too_many_rows', tooMany)
  const update = { path, query: { filters }, body: { values: { id: 9 } } }
  expect(await client.ok('updateRows', update)).toMatchObject({ matched: 0 })
  const done = await client.ok('deleteRows', { path, query: { filters } })
  expect(done).toMatchObject({ matched: 3, deleted: 2 })
  expect(await allRows(project, 'kept')).toEqual([{ id: 3 }])
})
