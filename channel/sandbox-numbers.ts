import { sendError, sendJson, tokenUnknown } from './sandbox-answers.ts'
import { authorise, tokenOf } from './sandbox-endpoint.ts'
import type { SandboxEndpoint, SandboxScene } from './sandbox-endpoint.ts'

/** The single number of a business account, and its app, which is always subscribed, with its token. */
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
    {
      method: 'GET',
      path: /^\/debug_token$/,
      async answer({ request, response, query }) {
        const [appId = '', secret] = tokenOf(request)?.split('|') ?? []
        const account = await scene.options.findAccount('appId', appId)
        if (!account || account.appSecret !== secret) return sendError(response, 401, tokenUnknown)
        const isValid = query.get('input_token') === account.accessToken
        const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
        const told = { app_id: appId, is_valid: isValid, expires_at: 0, scopes }
        sendJson(response, 200, { data: told })
      },
    },
  ]
}
