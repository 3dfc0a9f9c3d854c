export { deployCode } from '../../scripts/chaos/bot-code.ts'
