// Where the channel calls, kept by the platform: what it reports is checked and stored, and then handed to these,
// one message of a conversation at a time.
export { onFlowReply, onMessage, onStatus } from '../app.ts'
