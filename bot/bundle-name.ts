/** What a bot's code is called in a stack. */
export const BUNDLE_NAME = 'bot.js'
