/** The file name of a bot's code in stack traces. */
export const BUNDLE_NAME = 'bot.js'
