import { bodyOf, done, notFound, rejection, type Answer, type Asked, type Content } from '../content.ts';
import { isList, isMembers, type Members, type Value } from '../shape.ts';
import { sentFax, syncInfo, tombstone } from '../shapes/messages.ts';
import { change, idText, myTelephone, type Row, type World } from '../world.ts';
import { matches, several } from './directory.ts';

function messageBy(world: World, id: string): Row | undefined {
  return world.messages.find(({ value }) => idText(value['id']) === id);
}

/** The rows that a list or a sync asks for. */
function wanted(asked: Asked): readonly Row[] {
  const number = asked.request.url.searchParams.get('phoneNumber');
  const availability = several(asked, 'availability');
  return asked.world.messages.filter(
    (row) =>
      matches(row, 'type', several(asked, 'messageType')) &&
      matches(row, 'direction', several(asked, 'direction')) &&
      matches(row, 'readStatus', several(asked, 'readStatus')) &&
      matches(row, 'conversationId', several(asked, 'conversationId')) &&
      matches(row, 'availability', availability.length > 0 ? availability : ['Alive']) &&
      (number === null ||
        JSON.stringify([row.value['from'], row.value['to']], plainNumbers).includes(number)),
  );
}

function plainNumbers(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Adds the message of a request to the mailbox. */
function sent(type: string, asked: Asked): Row {
  const { from = { phoneNumber: myTelephone }, to = [], text = '' } = envelopeOf(asked);
  const row = asked.world.addMessage({
    type,
    from,
    to,
    direction: 'Outbound',
    messageStatus: 'Queued',
    text,
  });
  const { text: _, ...value } = row.value;
  row.value = { ...value, subject: text };
  return row;
}

const send =
  (type: string): Answer =>
  (asked) => ({ kind: 'record', row: sent(type, asked) });

/** Only the reply to a fax has its documents in the shape of `sentFax`; the mailbox has the usual attachments. */
const sendFax: Answer = (asked) => {
  const { value, pinned } = sent('Fax', asked);
  const { attachments = [] } = asked.world.row(sentFax, {}).value;
  return { kind: 'record', row: { shape: sentFax, value: { ...value, attachments }, pinned } };
};

/** The change for each id: one body for all, or one for each, in the forms of the documents. */
function changesOf(asked: Asked, ids: readonly string[]): ReadonlyMap<string, Members> | undefined {
  const type = asked.request.headers['content-type'] ?? '';
  const value: Value = type.startsWith('multipart/') ? partsOf(asked.request.body) : bodyOf(asked);
  if (!isList(value)) {
    const isOne = isMembers(value) && !('ids' in value) && ids[0] !== '*';
    return isOne ? new Map(ids.map((id) => [id, value])) : undefined;
  }
  const items = value.filter(isMembers);
  const pairs = items.map((item, index) => {
    const id = ids[0] === '*' || item['resourceId'] !== undefined ? idText(item['resourceId']) : ids[index];
    return [id ?? '', isMembers(item['body']) ? item['body'] : item] as const;
  });
  return pairs.length === ids.length || ids[0] === '*' ? new Map(pairs) : undefined;
}

/** The JSON body of a message, or the JSON part of a message with files. */
function envelopeOf(asked: Asked): Members {
  const { body, headers } = asked.request;
  if (!(headers['content-type'] ?? '').startsWith('multipart/')) return bodyOf(asked);
  const [, json = '{}'] = /Content-Type: application\/json\r\n\r\n(.*?)\r\n--/s.exec(body) ?? [];
  const value = JSON.parse(json) as Value;
  return isMembers(value) ? value : {};
}

/** The JSON parts of a multipart body. */
function partsOf(body: string): Value {
  const boundary = /^--(\S+)/m.exec(body)?.[1] ?? '';
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => JSON.parse(part.slice(part.search(/\r?\n\r?\n/)).trim()) as Value);
}

const update: Answer = (asked) => {
  const ids = (asked.parameters['message'] ?? '').split(',');
  const changes = changesOf(asked, ids);
  if (!changes) return rejection(400, 'CMN-104', 'Cannot parse request.');
  const parts = [...changes].map(([id, members]) => {
    const row = messageBy(asked.world, id);
    if (row) change(row, members);
    return { id, row };
  });
  return { kind: 'several', parts };
};

function deleteOne(world: World, id: string, purge: boolean): boolean {
  const row = messageBy(world, id);
  if (!row) return false;
  const isGone = purge || row.value['availability'] === 'Deleted';
  row.value = { ...row.value, availability: isGone ? 'Purged' : 'Deleted' };
  return true;
}

const remove: Answer = (asked): Content => {
  const ids = (asked.parameters['message'] ?? '').split(',');
  const purge = asked.request.url.searchParams.get('purge') === 'true';
  const isDone = ids.map((id) => deleteOne(asked.world, id, purge));
  if (isDone.every(Boolean)) return done;
  if (ids.length === 1) return notFound('messageId');
  return { kind: 'several', parts: ids.map((id) => ({ id, row: messageBy(asked.world, id) })) };
};

export const messages = {
  sendSms: send('SMS'),
  sendPager: send('Pager'),
  sendFax,
  listMessages: (asked) => ({ kind: 'list', rows: wanted(asked) }),
  deleteMessages: () => done,
  readMessage: ({ parameters, world }) => ({
    kind: 'several',
    parts: (parameters['message'] ?? '').split(',').map((id) => ({ id, row: messageBy(world, id) })),
  }),
  updateMessage: update,
  patchMessage: update,
  deleteMessage: remove,
  syncMessages: (asked) => {
    const type = asked.request.url.searchParams.get('syncType') ?? 'FSync';
    const info = asked.world.row(syncInfo, {
      syncType: type,
      syncToken: `token-${asked.world.dice.integer(1, 1e9)}`,
      syncTime: new Date(asked.world.setting.now).toISOString(),
    });
    const gone = asked.world.messages.filter(({ value }) => value['availability'] !== 'Alive');
    // For a deleted message, an incremental sync contains the id and the availability only.
    const tombstones = gone.map(({ value: { id = 0, availability = '' } }) =>
      asked.world.row(tombstone, { id, availability }, ['availability']),
    );
    return { kind: 'sync', rows: [...wanted(asked), ...(type === 'ISync' ? tombstones : [])], info };
  },
  readAttachment: () => ({ kind: 'media' }),
} satisfies Readonly<Record<string, Answer>>;
