import * as tableScripts from '../../capabilities/tables/table-scripts.ts'
import type { Operation, OperationId } from '../../core/contract.ts'
import type { Parts } from './client.ts'
import { storeDeployment } from './code.ts'
import { declaredOperations, requestExamplesOf } from './document.ts'
import type { TestProject, TestService } from './service.ts'
import { body, storeTemplate } from './templates.ts'

type PathValues = Record<string, string | number>

/** By the noun of a path: what identifies one of the project's, and one that never was. */
export type Resources = Record<string, { own: PathValues; never: PathValues }>

const NEVER_NUMBER = 9_007_199_254_740_991
const NEVER_UUID = '00000000-0000-4000-8000-000000000000'
export const CUSTOMER_PHONE = '+15550001234'

/** Fills a project with one of everything that a path can name, its window open. */
export async function makeResources(
  service: TestService,
  project: TestProject,
): Promise<Resources> {
  const conversation = await service.customer(project, { phone: CUSTOMER_PHONE })
  const message = conversation.last_message
  if (!message) throw new Error('The customer wrote nothing')
  const { webhook } = await project.client.ok('createWebhook', {
    body: { url: 'https://hooks.example.com/shop', events: ['order.paid'] },
  })
  const { media } = await project.client.ok('uploadMedia', { body: firstExampleOf('uploadMedia') })
  const template = { name: 'greeting', components: [body('Hello.')] }
  const templateId = await storeTemplate(service, project, template)
  const path = `notes/of-${project.id}.txt`
  await project.client.ok('putFile', { path: { path }, body: { content: 'Call Ana.' } })
  const deploymentId = await storeDeployment(service, project)
  const { flow } = await project.client.ok('createFlow', {
    body: { name: 'contact', prompt: 'A contact form with name, phone and an optional comment.' },
  })
  const components = [body('Hello {{1}}, your order {{2}} is on its way.')]
  await storeTemplate(service, project, { name: 'order_update', components })
  const { segment } = await project.client.ok('createSegment', {
    body: firstExampleOf('createSegment'),
  })
  const { broadcast } = await project.client.ok('createBroadcast', {
    body: firstExampleOf('createBroadcast'),
  })
  const numbered = (id: number) => ({ own: { id }, never: { id: NEVER_NUMBER } })
  return {
    conversations: numbered(conversation.id),
    contacts: numbered(conversation.contact.id),
    messages: numbered(message.id),
    tables: { own: { table: await makeOrders(service, project) }, never: { table: 'never_made' } },
    webhooks: { own: { id: webhook.id }, never: { id: `wh_${'0'.repeat(24)}` } },
    templates: { own: { id: templateId }, never: { id: 'never-was' } },
    files: { own: { path }, never: { path: 'never/was.txt' } },
    deployments: { own: { id: deploymentId }, never: { id: NEVER_UUID } },
    flows: { own: { id: flow.id }, never: { id: 'never-was' } },
    media: { own: { slug: media.slug }, never: { slug: 'never-was' } },
    segments: { own: { id: segment.id }, never: { id: NEVER_UUID } },
    broadcasts: { own: { id: broadcast.id }, never: { id: NEVER_UUID } },
  }
}

/** A table as the contract's examples have it, under a name that no other project uses. */
async function makeOrders({ ctx }: TestService, { id }: TestProject): Promise<string> {
  const name = `orders_${id.replaceAll('-', '_')}`
  await tableScripts.apply(
    ctx,
    id,
    'public',
    `CREATE TABLE IF NOT EXISTS ${name} (
       id bigserial PRIMARY KEY, customer text, total numeric DEFAULT 0, tags text[]
     )`,
  )
  return name
}

/** A complete and valid request of an operation; the body is the contract's first example. */
export function requestFor(operation: Operation, path: PathValues): Parts {
  const declared = declaredAs(operation.id)
  const [example] = requestExamplesOf(declared)
  const due = declared.parameters.filter((one) => one.in === 'query' && one.required)
  const query = Object.fromEntries(due.map(({ name, example }) => [name, String(example)]))
  return { path, query, ...(example ? { body: example[1] } : {}) }
}

function declaredAs(id: string) {
  const declared = declaredOperations.find(({ operationId }) => operationId === id)
  if (!declared) throw new Error(`There is no operation ${id}`)
  return declared
}

function firstExampleOf(id: OperationId): never {
  const [example] = requestExamplesOf(declaredAs(id))
  return example?.[1] as never
}

/** The identifiers that an operation's path takes; none for a path without any. */
export function identified(operation: Operation, resources: Resources, whose: 'own' | 'never') {
  if (!operation.path.includes('{')) return {}
  const noun = operation.path.split('/')[2] ?? ''
  const resource = resources[noun]
  if (!resource) throw new Error(`Tell tests/support/resources.ts how to make one of ${noun}`)
  const values = resource[whose]
  for (const [, name = ''] of operation.path.matchAll(/\{(\w+)\}/g)) {
    if (!Object.hasOwn(values, name)) {
      throw new Error(`Tell tests/support/resources.ts what ${name} is in ${operation.path}`)
    }
  }
  return values
}
