import { type Break, tests } from './break.ts'

/** All is done by then, and begins again. */
const CRASH = tests('e2e/crash-bots', 'in the step before:finish-bot-runs')

/** Bots: everything once, in order, within bounds. */
export const BOTS: Break[] = [
  {
    name: 'an event that a bot raises twice',
    file: 'capabilities/bot-effects.ts',
    find: "    if (earlier) return earlier[0] === 'true'\n    // The run is another process's by now.\n    if (!claimed) throw NOT_YET\n",
    replace: '    void earlier\n',
    gate: CRASH,
    says: 'having done everything once',
  },
  {
    name: 'rows that a bot writes twice',
    file: 'capabilities/bot-effects.ts',
    find: "if (row?.[1] === 'committed')",
    replace: "if (row?.[1] === 'forgotten')",
    gate: CRASH,
    says: 'having done everything once',
  },
  {
    name: 'a message that a bot sends twice',
    file: 'capabilities/bot-calls.ts',
    find: 'const key = `bot run ${run.id} ${name}`',
    replace: 'const key = `bot run ${run.id} ${name} ${run.begun}`',
    gate: CRASH,
    says: 'having done everything once',
  },
  {
    name: 'a refusal that a bot is not told again',
    file: 'capabilities/bot-effects.ts',
    find: 'run.isFirst ? [] : await ctx.sql.rows(findFailure, [run.id, call])',
    replace: 'run.isFirst ? [] : await ctx.sql.rows(findFailure, [run.id, `no ${call}`])',
    gate: tests('integration/bot-reruns', 'asked for again, after a refusal'),
    says: '● sends once what a bot asked for again',
  },
  {
    name: 'what a bot did that is forgotten when it has waited',
    file: 'capabilities/bot-runs.ts',
    find: "isFirst: fence === '1',",
    replace: 'isFirst: Number(begun) === 1,',
    gate: tests('integration/bot-retries', 'put off more than once'),
    says: '● does nothing twice in a run that was put off more than once',
  },
  {
    name: 'sends in a row that count against themselves',
    file: 'capabilities/bot-calls.ts',
    find: 'WHERE project_id = $2 AND key = $3)',
    replace: 'WHERE project_id = $2 AND key = $3 AND false)',
    gate: tests('integration/bot-reruns', 'sent in a row stand'),
    says: '● lets what a bot sent in a row stand',
  },
  {
    name: 'the runs of a conversation out of order',
    file: 'capabilities/bot-runs.ts',
    find: 'WHERE e.conversation_id = o.conversation_id AND e.id < o.id)',
    replace: 'WHERE e.conversation_id = o.conversation_id AND e.id < 0)',
    gate: tests('integration/bots', 'of a conversation are one at a time'),
    says: '● the runs › of a conversation are one at a time and in order',
  },
  {
    name: 'a bot that talks to itself',
    file: 'capabilities/bot-calls.ts',
    find: '    await mustBeHeard(ctx, run, key)\n',
    replace: '    void mustBeHeard\n',
    gate: tests('integration/bots', 'at most 50 messages in a row'),
    says: '● a bot in production › sends at most 50 messages in a row',
  },
  {
    name: 'a bot whose requests nobody checks',
    file: 'capabilities/bot-calls.ts',
    find: "    await check('sendMessage', { body })\n",
    replace: '',
    gate: tests('integration/bots', 'is refused what a request would be'),
    says: '● a bot in production › is refused what a request would be',
  },
  {
    name: 'a run that breaks its thread for ever',
    file: 'capabilities/bot-dispatcher.ts',
    find: "hasFailed || ending.result === 'broken'",
    replace: 'hasFailed',
    gate: tests('integration/bot-losses', 'breaks each time'),
    says: '● gives up a run that breaks each time what it runs in',
  },
  {
    name: 'idle instances of bots that hold memory without bound',
    file: 'bot/idle.ts',
    find: 'if (bytes <= LIMITS.botIdleBytes) return',
    replace: 'if (bytes >= 0) return',
    gate: tests('unit/idle-instances', 'keeps idle instances up to'),
    says: '● keeps idle instances up to so many bytes',
  },
  {
    name: 'a project whose builds keep others waiting',
    file: 'bot/build-slots.ts',
    find: '    atOnceEach: LIMITS.buildsAtOnceEach,\n',
    replace: '',
    gate: tests('integration/bot-build', 'is not kept waiting'),
    says: '● a build is bounded › for each project, and another one is not kept waiting',
  },
]
