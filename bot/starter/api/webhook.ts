// Where the channel's callbacks arrive; kept by the platform. Each is verified and stored, then passed to these
// handlers, one event of a conversation at a time.
export { onFlowReply, onMessage, onStatus } from '../app.ts'
