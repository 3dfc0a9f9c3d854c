import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Agents } from '../core/stores.ts'
import type { Connect } from './pools.ts'

/** Agents that keep up to so many connections to a host, each made by `connect`. */
export function createAgents(connect: Connect, connectionsMax: number): Agents {
  const options = { keepAlive: true, maxSockets: connectionsMax }
  return {
    http: connecting(new HttpAgent(options), 'http:', connect),
    https: connecting(new HttpsAgent(options), 'https:', connect),
  }
}

function connecting<A extends HttpAgent>(agent: A, protocol: string, connect: Connect): A {
  agent.createConnection = (
    { host, port }: ClientRequestArgs,
    done?: (error: Error | null, socket: Duplex) => void,
  ) => {
    const target = { protocol, hostname: host ?? '', port: String(port ?? '') }
    // Its type asks for a socket even beside an error.
    const fail = done as (error: Error) => void
    // An agent does not tell when nobody waits any more; the time limit of `connect` ends it then.
    connect(target, new AbortController().signal).then((socket) => done?.(null, socket), fail)
    return undefined
  }
  return agent
}
