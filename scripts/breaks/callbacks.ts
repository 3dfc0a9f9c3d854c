import { type Break, tests } from './break.ts'

/** What the channel tells by itself, and what it lists. */
export const CALLBACKS: Break[] = [
  {
    name: 'a callback that fails and keeps its turn',
    file: 'core/slots.ts',
    find: '    return await work()\n  } finally {\n    giveBack()\n  }',
    replace:
      '    const done = await work()\n    giveBack()\n    return done\n  } catch (error) {\n    throw error\n  }',
    gate: tests('integration/callback-turns'),
    says: '● gives the turn of a callback that fails to the next one',
  },
  {
    name: 'a callback that locks a conversation after its contact',
    file: 'capabilities/conversations/customer-book.ts',
    find: '  if (isMoving || changed.length > 0) {',
    replace: '  if (!isMoving && changed.length > 0) {',
    gate: tests('integration/callback-locks', 'where a customer writes who is moved'),
    says: 'neither of which waits for the other one’s rows › where a customer writes who is moved',
  },
  {
    name: 'a callback that locks contacts one after the other',
    file: 'capabilities/statuses/statuses.ts',
    find: '{ next: named, now }',
    replace: '{ next: named.slice(named.length), now }',
    gate: tests('integration/callback-locks', 'where one tells who was refused'),
    says: 'waits for the other one’s rows › where one tells who was refused, and of another by',
  },
  {
    name: 'a room of a callback that is given back before it is dealt with',
    file: 'middleware/callback-body.ts',
    find: 'return await use(',
    replace: 'return use(',
    gate: tests('unit/callback-body'),
    says: '● a large callback has its room until it is dealt with',
  },
  {
    name: 'news of a template that counts again when the channel repeats it',
    file: 'capabilities/channel-accounts/heard-news.ts',
    find: 'if (heard.has(digest)) return false',
    replace: 'if (heard.has(digest)) return digest.length > 0',
    gate: tests('integration/template-callbacks', 'when it is repeated, and is not told again'),
    says: 'Received: "APPROVED"',
  },
  {
    name: 'a callback whose news of a template does not see what it has said before',
    file: 'capabilities/templates/template-news.ts',
    find: 'known.byId.set(after.id, withoutLeapt(after, latest))',
    replace: 'known.byId.set(after.id, withoutLeapt(before, latest))',
    gate: tests('integration/callback-news', 'comes to what they come to one by one'),
    says: '● a callback of many things › comes to what they come to one by one',
  },
  {
    name: 'a listing that removes a template of which the channel speaks meanwhile',
    file: 'capabilities/templates/template-sync.ts',
    find: 'now.get(id)?.version === before.get(id)?.version',
    replace: 'now.has(id) === before.has(id)',
    gate: tests('integration/template-sync', 'a page has left out'),
    says: '● fetching the templates › keeps a template that a page has left out',
  },
  {
    name: 'news of a flow that counts again when the channel repeats it',
    file: 'capabilities/flows/flow-news.ts',
    find: 'if (!hearing.isNews(update)) {',
    replace: 'if (!hearing.isNews(update) && !word) {',
    gate: tests('integration/flow-sync', 'the first one undoes nothing when it is repeated'),
    says: '● of two callbacks of one second › the one that comes later counts, and the first one',
  },
  {
    name: 'a listing of flows that undoes what was changed meanwhile',
    file: 'capabilities/flows/flow-sync.ts',
    find: 'now.get(id)?.version === before.get(id)?.version',
    replace: 'id.length > 0',
    gate: tests('integration/flow-sync', 'keeps its name'),
    says: '● what was changed here since a round began › keeps its name',
  },
]
