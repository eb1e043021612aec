import type { Desk } from '../desk.ts';
import type { Postgres } from '../../../src/store/index.ts';
import { withSharedStore, withStore } from '../with-store.ts';
import type { Call, NounCases } from '../cases.ts';
import { oneText, receiver } from '../live.ts';

const oneThing = { none: 'it shows one thing' };
const needed = { none: 'ids are needed' };
const missing = { words: 'nothing', exit: 3, code: 'not_found' };
/** A command for several items reports the result of each, also when all failed. */
const allMissing = { ...missing, saysWhat: true };

async function subscription(desk: Desk): Promise<string> {
  await unsubscribed(desk);
  const line = `subscribe create --events messages ${await transportOf(desk)}`;
  const { id } = (await desk.json(line)) as { id: string };
  return id;
}

/** The hosted channel, or a webhook in dialect `current`, which has no hosted channel. */
async function transportOf({ sandbox }: Desk): Promise<string> {
  if (sandbox.ready.dialect === 'spec') return '--transport channel';
  return `--transport webhook --address ${await receiver()}`;
}

async function unsubscribed(desk: Desk): Promise<string> {
  for (const { id } of desk.sandbox.subscriptions()) await desk.run(`subscribe delete ${id}`);
  return '';
}

export const subscribe: NounCases = {
  desk: {},
  commands: {
    'subscribe tail': {
      success: {
        // In dialect `current`, the events arrive through a WebSocket.
        words: '--count 1 --events messages',
        gives: 'stream',
        how: oneText,
      },
      empty: { none: 'it runs until it is ended' },
      error: { words: '--events weather', exit: 2, code: 'usage' },
    },
    'subscribe create': {
      success: {
        words: async (desk) => {
          await unsubscribed(desk);
          return `--events messages,presence ${await transportOf(desk)}`;
        },
      },
      empty: oneThing,
      error: { words: '--events weather --transport channel', exit: 2, code: 'usage' },
    },
    'subscribe list': {
      success: {
        words: async (desk) => {
          if (desk.sandbox.subscriptions().length === 0) await subscription(desk);
          return '';
        },
      },
      empty: { words: unsubscribed },
      error: { words: 'unexpected', exit: 2, code: 'usage' },
    },
    'subscribe show': { success: { words: subscription }, empty: oneThing, error: missing },
    'subscribe update': {
      success: { words: async (desk) => `${await subscription(desk)} --events presence` },
      empty: oneThing,
      error: { ...missing, words: 'nothing --events presence' },
    },
    'subscribe renew': { success: { words: subscription }, empty: needed, error: allMissing },
    'subscribe delete': { success: { words: subscription }, empty: needed, error: allMissing },
  },
};

async function chatWebhook(desk: Desk): Promise<string> {
  const { id } = (await desk.json('webhook create --group 3301')) as { id: string };
  return id;
}

export const webhook: NounCases = {
  desk: { sandbox: { listen: true } },
  commands: {
    'webhook listen': {
      success: { words: '--count 1', gives: 'stream', how: oneText },
      empty: { none: 'it runs until it is ended' },
      error: { words: '--public-url http://example.com', exit: 2, code: 'usage' },
    },
    'webhook trigger': {
      success: { words: async () => `messages ${await receiver()}` },
      empty: { none: 'there is always a step' },
      error: { words: 'weather http://127.0.0.1:9/', exit: 2, code: 'usage' },
    },
    'webhook check': {
      success: { words: async () => `${await receiver()} --tries 1` },
      empty: { none: 'there is always a check' },
      error: { words: 'no-address', exit: 2, code: 'usage' },
    },
    'webhook create': {
      success: { words: '--group 3301' },
      empty: oneThing,
      error: { words: '--group 1', exit: 3, code: 'not_found' },
    },
    'webhook list': {
      success: {
        words: async (desk) => {
          await chatWebhook(desk);
          return '';
        },
      },
      empty: { words: '', blank: /webhooks$/ },
      error: { words: 'unexpected', exit: 2, code: 'usage' },
    },
    'webhook activate': { success: { words: chatWebhook }, empty: needed, error: allMissing },
    'webhook suspend': { success: { words: chatWebhook }, empty: needed, error: allMissing },
    'webhook delete': {
      success: { words: async (desk) => `${await chatWebhook(desk)} --yes` },
      empty: needed,
      error: { ...allMissing, words: `${allMissing.words} --yes` },
    },
    'webhook post': {
      success: { words: async (desk) => `${await chatWebhook(desk)} --body done` },
      empty: { none: 'there is always a post' },
      error: { ...missing, words: 'nothing --body done' },
    },
  },
};

const line = `${JSON.stringify({ uuid: 'a', event: '/restapi/v1.0/account/1/extension/2/presence', timestamp: '2026-01-05T09:00:00.000Z', subscriptionId: 's', body: { extensionId: '2' } })}\n`;
const stored: Call = { words: 'a' };

/** The commands need the address of a store, and this run has none. */
const withoutStore = { words: '', env: { UCCTL_STORE: 'file' }, exit: 2, code: 'usage' };

async function oneReceiver(db: Postgres): Promise<void> {
  await db.script(
    `insert into receiver (name, path, subscription_id, event_filters) values ('listen', '/hook/x', 's1', '{/restapi/v1.0/x}')`,
  );
}

async function oneConsumer(db: Postgres): Promise<void> {
  await db.script(`insert into event_consumer (name) values ('crm')`);
}

async function oneEvent(db: Postgres): Promise<void> {
  await db.run(
    `insert into event (receiver, key, lane, origin, encrypted, raw) values ('listen', 'a', '2', 'webhook', false, $1)`,
    [line.trim()],
  );
}

export const events: NounCases = {
  desk: {
    files: { 'one.ndjson': line, 'none.ndjson': '' },
    prepare: (desk) => desk.run('events import one.ndjson'),
  },
  commands: {
    'events list': {
      success: { words: '' },
      empty: { words: '--events messages' },
      error: { words: '--limit 0', exit: 2, code: 'usage' },
    },
    'events show': { success: stored, empty: oneThing, error: missing },
    'events replay': {
      success: { words: async () => `a --forward-to ${await receiver()}` },
      empty: needed,
      error: { words: 'a', exit: 2, code: 'usage' },
    },
    'events export': {
      success: { words: '', gives: 'stream', table: 'text' },
      empty: { words: '--since 1s', gives: 'stream', table: 'text' },
      error: { words: '--since never', exit: 2, code: 'usage' },
    },
    'events import': {
      success: { words: 'one.ndjson' },
      empty: { words: 'none.ndjson' },
      error: { words: 'missing.ndjson', exit: 2, code: 'unreadable_file' },
    },
    'events dlq': { success: { words: '' }, empty: { words: '' }, error: missing },
    'events receivers': {
      needs: 'postgres',
      success: { words: withSharedStore('', oneReceiver) },
      empty: { words: withSharedStore('') },
      error: withoutStore,
    },
    'events consume': {
      needs: 'postgres',
      success: {
        words: async () =>
          withStore(`crm --from start --once --all --forward-to ${await receiver()}`, oneEvent)(),
        gives: 'stream',
      },
      empty: { words: withStore('crm --exec true --once'), gives: 'stream' },
      error: { ...withoutStore, words: 'crm --exec true' },
    },
    'events consumers': {
      needs: 'postgres',
      success: { words: withSharedStore('', oneConsumer) },
      empty: { words: withSharedStore('') },
      error: withoutStore,
    },
  },
};
