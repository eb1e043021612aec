import { bodyOf, done, notFound, recordOr404, type Answer, type Asked } from '../content.ts';
import type { Members } from '../shape.ts';
import { chatWebhook, postReceipt, subscription } from '../shapes/events.ts';
import { isMembers } from '../shape.ts';
import { change, groupId, type Row } from '../world.ts';

function subscriptionOf({ parameters, world }: Asked): Row | undefined {
  return world.subscriptions.find(({ value }) => value['id'] === parameters['subscription']);
}

function webhookOf({ parameters, world }: Asked): Row | undefined {
  return world.chatWebhooks.find(({ value }) => value['id'] === parameters['webhook']);
}

const readSubscription: Answer = (asked) => recordOr404(subscriptionOf(asked), 'subscriptionId');

const setStatus =
  (status: string): Answer =>
  (asked) => {
    const row = webhookOf(asked);
    if (!row) return notFound('webhookId');
    change(row, { status });
    return { kind: 'nothing', status: 200 };
  };

/** Members of the delivery mode that every listener needs. */
function deliveryMode(asked: Members | undefined, world: Asked['world']): Members {
  const key = Buffer.alloc(16, 7).toString('base64');
  const channel = {
    address: `channel-${world.dice.integer(1, 1e9)}`,
    subscriberKey: `sub-c-${world.dice.integer(1e6, 9e6)}-key`,
    encryptionKey: key,
  };
  return { transportType: 'PubNub', encryption: false, ...channel, ...asked };
}

export const events = {
  createSubscription: (asked) => {
    const { eventFilters = [], deliveryMode: mode } = bodyOf(asked);
    const id = `sub-new-${asked.world.dice.integer(1, 1e9)}`;
    const row = asked.world.row(
      subscription,
      {
        id,
        uri: `${asked.world.setting.origin}/restapi/v1.0/subscription/${id}`,
        eventFilters,
        deliveryMode: deliveryMode(isMembers(mode) ? mode : undefined, asked.world),
        status: 'Active',
      },
      ['deliveryMode'],
    );
    asked.world.subscriptions.push(row);
    return { kind: 'record', row };
  },
  listSubscriptions: ({ world }) => ({ kind: 'list', rows: world.subscriptions }),
  readSubscription,
  updateSubscription: (asked) => {
    const row = subscriptionOf(asked);
    const { eventFilters } = bodyOf(asked);
    if (row && eventFilters !== undefined) change(row, { eventFilters });
    return recordOr404(row, 'subscriptionId');
  },
  renewSubscription: readSubscription,
  deleteSubscription: (asked) => {
    const row = subscriptionOf(asked);
    if (!row) return notFound('subscriptionId');
    asked.world.subscriptions.splice(asked.world.subscriptions.indexOf(row), 1);
    return done;
  },

  createChatWebhook: ({ parameters, world }) => {
    const id = `hook-new-${world.dice.integer(1, 1e9)}`;
    const uri = `${world.setting.origin}/webhook/v2/${id}`;
    const given = { id, uri, status: 'Active', groupIds: [parameters['group'] ?? groupId] };
    const row = world.row(chatWebhook, given);
    world.chatWebhooks.push(row);
    return { kind: 'record', row };
  },
  listGroupChatWebhooks: ({ world }) => ({ kind: 'list', rows: world.chatWebhooks }),
  listChatWebhooks: ({ world }) => ({ kind: 'list', rows: world.chatWebhooks }),
  readChatWebhook: (asked) => {
    const row = webhookOf(asked);
    return row ? { kind: 'list', rows: [row] } : notFound('webhookId');
  },
  deleteChatWebhook: (asked) => {
    const row = webhookOf(asked);
    if (!row) return notFound('webhookId');
    asked.world.chatWebhooks.splice(asked.world.chatWebhooks.indexOf(row), 1);
    return { kind: 'nothing', status: 200 };
  },
  activateChatWebhook: setStatus('Active'),
  suspendChatWebhook: setStatus('Suspended'),
  postToChat: (asked) =>
    recordOr404(webhookOf(asked) && asked.world.row(postReceipt, { status: 'OK' }, ['status']), 'webhookId'),
} satisfies Readonly<Record<string, Answer>>;
