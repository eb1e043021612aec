import { describe, expect, it, onTestFinished } from 'vitest';
import { Inbox, readNotification, type Origin } from '../../../../src/features/live/index.ts';
import { presenceWord, wordsOf } from '../../../../src/features/live/notification/index.ts';
import type { TextFilter } from '../../../../src/features/live/store/text-filter.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const account = '/restapi/v1.0/account/1';

/** An inbox with 500 presence events of one person, and a few other events. */
async function inboxWithFew() {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  const add = async (text: string, origin: Origin = 'webhook'): Promise<void> => {
    const received = readNotification(text);
    if (!received) throw new Error('no notification');
    await inbox.accept(received, 'listen', origin);
  };
  const event = (uuid: string, path: string): string =>
    JSON.stringify({ uuid, event: `${account}${path}`, body: {} });
  await Promise.all(
    Array.from({ length: 500 }, (_, index) => add(event(`p${index}`, '/extension/7/presence'))),
  );
  await add(event('message', '/extension/7/message-store'));
  await add(event('slashes', '/extension/7/message-store').replaceAll('/', String.raw`\/`), 'gap');
  await add(event('escaped', '/extension/7/message-store').replace('m', String.raw`\u006d`));
  await add(event('other person', '/extension/8/message-store'));
  await add(JSON.stringify('AAAAAAAAAAAAAAAAAAAAAA=='));
  /** The keys of the events that the reader must parse, newest first. */
  const read = (filter?: TextFilter): readonly string[] =>
    [...inbox.newest(0, filter)].map(({ key, encrypted }) => (encrypted === 1 ? 'encrypted' : key));
  return { inbox, read };
}

describe('events that a reader need not parse', () => {
  it('are skipped in the database', async () => {
    const { inbox, read } = await inboxWithFew();
    const few = ['encrypted', 'other person', 'escaped', 'slashes', 'message'];
    expect(read({ groups: [wordsOf(['messages'])] })).toEqual(few);
    expect(read({ groups: [wordsOf(['messages']), ['8', '9']] })).toEqual([
      'encrypted',
      'other person',
      'escaped',
    ]);
    expect(read({ groups: [['7'], []] })).toHaveLength(504);
    expect(read()).toHaveLength(505);
    const oldest = [...inbox.all(0, { groups: [wordsOf(['messages'])] })];
    expect(oldest.map(({ id }) => id)).toEqual([501, 502, 503, 504, 505]);
  });

  it('are skipped by their origin', async () => {
    const { read } = await inboxWithFew();
    const origins = { of: ['recovered', 'gap'], or: undefined } as const;
    expect(read({ groups: [], origins })).toEqual(['encrypted', 'escaped', 'slashes']);
    expect(read({ groups: [], origins: { ...origins, or: presenceWord } })).toHaveLength(503);
  });
});

it.each([
  [['messages'], ['message-store']],
  [['presence:sip', 'lines'], ['presence']],
  [['reminder:80,600'], ['threshold']],
  [['messages', 'encrypted'], []],
  [[], []],
  [['/restapi/v1.0/account/~/extension/~/message-store/instant'], ['message-store']],
  [['/restapi/v1.0/glip/posts'], ['restapi']],
  [['/'], []],
])('words of %j are %j', (names, words) => {
  expect(wordsOf(names)).toEqual(words);
});
