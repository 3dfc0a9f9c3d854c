import { sendJson } from './sandbox-answers.ts'
import { authorise } from './sandbox-endpoint.ts'
import type { SandboxEndpoint, SandboxScene } from './sandbox-endpoint.ts'

/** The single number of a business account, and its app, which is always subscribed. */
export function numberEndpoints(scene: SandboxScene): SandboxEndpoint[] {
  return [
    {
      method: 'GET',
      path: /^\/(\d+)\/phone_numbers$/,
      async answer(call) {
        const account = await authorise(scene, call, 'businessAccountId', call.ids[0] ?? '')
        if (!account) return
        const number = {
          id: account.phoneNumberId,
          display_phone_number: account.displayPhoneNumber,
          verified_name: 'Sandbox',
          status: 'CONNECTED',
          quality_rating: 'GREEN',
        }
        sendJson(call.response, 200, { data: [number] })
      },
    },
    {
      method: 'GET',
      path: /^\/(\d+)\/subscribed_apps$/,
      async answer(call) {
        const account = await authorise(scene, call, 'businessAccountId', call.ids[0] ?? '')
        if (!account) return
        const app = { id: account.appId, name: 'Sandbox' }
        sendJson(call.response, 200, { data: [{ whatsapp_business_api_data: app }] })
      },
    },
    {
      method: 'POST',
      path: /^\/(\d+)\/subscribed_apps$/,
      async answer(call) {
        const account = await authorise(scene, call, 'businessAccountId', call.ids[0] ?? '')
        if (account) sendJson(call.response, 200, { success: true })
      },
    },
  ]
}
