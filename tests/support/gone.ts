import type { ServerResponse } from 'node:http'

/** Whether nobody reads a response any more; from Node 26 on, it is not destroyed by that. */
export function isGone({ destroyed, socket }: ServerResponse): boolean {
  return destroyed || socket === null || socket.destroyed
}
