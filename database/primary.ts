import pg from 'pg'
import { socketOf } from './connect.ts'

type Parameter = { parameterName: string; parameterValue: string }

/** A client that hears, as its session begins, whether PostgreSQL is a standby. */
export class HearingClient extends pg.Client {
  isStandby = false

  constructor(config?: pg.ClientConfig) {
    super(config)
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: Parameter) => {
      if (parameterName === 'in_hot_standby') this.isStandby = parameterValue === 'on'
    })
  }
}

/**
 * Cuts off a new session of a standby, and throws. After a failover the former primary may keep its name for a
 * while, as a standby: sessions with it would go on reading what is out of date, and refuse what is written, for as
 * long as they last. A primary ends all its sessions before it becomes one.
 */
export function requirePrimary(client: pg.ClientBase): void {
  if (!(client instanceof HearingClient) || !client.isStandby) return
  socketOf(client).destroy()
  throw new Error('This PostgreSQL is a standby, which only reads')
}
