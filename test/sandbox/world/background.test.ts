import { expect, test } from 'vitest';
import { loseConnection } from '../../../src/sandbox/sockets/sessions.ts';
import { SocketSession } from '../../../src/sandbox/sockets/session.ts';
import { openWorld } from '../open-world.ts';

const connection = {
  isWritable: true,
  lastActive: 0,
  send: () => undefined,
  sendSplit: () => undefined,
  timeOut: () => undefined,
  terminate: () => undefined,
  close: () => undefined,
};

/** Work of all promises that are settled now, so that an unhandled rejection is reported to the test. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('work in the background that fails is an internal error, and no unhandled rejection', async () => {
  using office = openWorld();
  office.world.commitInBackground(() => {
    throw new Error('the disk is full');
  });
  await turn();
  expect(office.failures).toMatchObject([{ message: 'the disk is full' }]);
});

test('a WebSocket that ends after its sandbox has no effect', async () => {
  const office = openWorld();
  const { world } = office;
  const session = new SocketSession(world, 'key', { clientId: 'c', extensionId: 1, sessionId: 1 });
  session.attach(connection, 1);
  world.close();
  loseConnection(world, session, connection, false);
  await turn();
  expect(office.failures).toEqual([]);
});
