import { expect, it } from 'vitest';
import { withoutExtension } from '../hidden-extension.ts';
import { openOffice } from '../office.ts';
import { live } from './listening.ts';

const person = '171857102';

/** A listener on a terminal that knows no name of a person, who is then created. */
async function listening(count: number) {
  let isCreated = false;
  const office = await openOffice(
    'administrator',
    withoutExtension(person, () => !isCreated),
  );
  const options = { terminal: 100, now: () => Date.UTC(2026, 0, 5, 9) };
  const { ready, result } = await live(office, `webhook listen --color never --count ${count}`, options);
  isCreated = true;
  office.requests();
  const send = async (uuid: string, path: string, body: object): Promise<void> => {
    const event = `/restapi/v1.0/account/1/extension${path}`;
    const reply = await fetch(ready.address, { method: 'POST', body: JSON.stringify({ uuid, event, body }) });
    expect(reply.status).toBe(200);
  };
  return {
    changed: (uuid: string, hint: string) =>
      send(uuid, '', { extensions: [{ extensionId: person, eventType: 'Update', hints: [hint] }] }),
    busy: (uuid: string) => send(uuid, `/${person}/presence`, { presenceStatus: 'Busy' }),
    lists: () => office.requests().filter((line) => line === 'GET /account/~/extension').length,
    texts: async () => (await result).stdout.split('\n').map((line) => line.replace(/^[-:]+ +/, '')),
  };
}

it('an extension event causes one read of the names, although others follow', async () => {
  const { changed, busy, texts, lists } = await listening(4);
  await changed('a', 'Permissions');
  for (const uuid of ['b', 'c']) await changed(uuid, 'ExtensionInfo');
  await busy('d');
  const renamed = 'Dana Okafor (102) was changed (name or contact data)';
  const first = `Extension ${person} was changed (permissions)`;
  expect(await texts()).toEqual([first, renamed, renamed, 'Dana Okafor (102) is busy', '']);
  expect(lists()).toBe(1);
});
