import axios, { type AxiosInstance, type CreateAxiosDefaults } from 'axios'
import type { Pools } from './pools.ts'
import { createUndiciAdapter } from './undici-adapter.ts'

/**
 * An HTTP client over the pools that returns every answer unchanged, whatever its status: no redirects, no
 * proxy, no decompression.
 */
export function createClient(
  pools: Pools,
  { headers, ...options }: CreateAxiosDefaults & { headers: Record<string, string> },
): AxiosInstance {
  return axios.create({
    ...options,
    adapter: createUndiciAdapter(pools),
    proxy: false,
    maxRedirects: 0,
    decompress: false,
    transformRequest: [],
    transformResponse: [],
    validateStatus: null,
    headers: {
      'Accept-Encoding': 'identity',
      'User-Agent': 'messaging-automation-service',
      ...headers,
    },
  })
}
