import { expect, it } from 'vitest';
import { syncScope } from '../../../../src/features/mirror/index.ts';
import { postgresMissing } from '../../../support/postgres.ts';
import { newArchive } from '../contract/archives.ts';
import { message, replies, replyText } from '../replies.ts';

/** A reply without its address, which the published form permits. */
function replyWithoutUri(...records: readonly object[]): string {
  const { uri: _uri, ...reply } = JSON.parse(replyText(records)) as Readonly<Record<string, unknown>>;
  return JSON.stringify(reply);
}

it.skipIf(postgresMissing())(
  'learns its account from the messages of a reply without an address',
  async () => {
    const { messages } = await newArchive('postgres');
    const options = { extensionId: '7', scope: {}, onDelete: 'mark', now: () => 0 } as const;
    const sync = async (text: string) => syncScope(messages, replies(text).open, options);
    const { uri: _uri, ...bare } = message(1);
    await sync(replyWithoutUri(bare, message(2)));
    const other = message(3, { uri: message(3).uri.replace('account/1/', 'account/2/') });
    const expected = 'this archive belongs to account 1, but the new data belongs to account 2';
    await expect(sync(replyWithoutUri(other))).rejects.toThrow(expected);
    await sync(replyWithoutUri(message(4)));
  },
);

it.skipIf(postgresMissing())('stores no token of a reply without changes of another account', async () => {
  const { messages } = await newArchive('postgres');
  const options = { extensionId: '7', scope: {}, onDelete: 'mark', now: () => 0 } as const;
  const sync = async (text: string) => syncScope(messages, replies(text).open, options);
  await sync(replyText([message(1)]));
  const other = replyText([], 'token-2').replace('account/1/', 'account/2/');
  await expect(sync(other)).rejects.toThrow('this archive belongs to account 1');
  expect(await messages.streams()).toMatchObject([{ syncToken: 'token-1' }]);
});
