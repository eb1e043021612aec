import type { Content, ForeignRequest } from './content.ts';
import { Dice } from '../../support/dice.ts';
import type { Disallowed } from './disallowed.ts';
import { batchTypes, dress, type WireReply } from './wire.ts';
import { isMembers, type Members, type Value } from './shape.ts';
import { asArray, asMultipart, jsonReply, rowMembers, type Manner, type WrittenPart } from './write-down.ts';

function partsOf(content: Content, manner: Manner): readonly WrittenPart[] {
  if (content.kind !== 'several') return [];
  return content.parts.map(({ id, row }) => ({
    id,
    status: row ? 200 : 404,
    body: row ? rowMembers(row, manner) : {},
  }));
}

/** The array form with each of its items changed. */
function items(name: string, spoil: (item: Members) => Value): Disallowed {
  return {
    name,
    insteadOf: ['several'],
    write: (content, _request, manner) => {
      const list = partsOf(content, manner).map(({ id, status, body }) =>
        spoil({ resourceId: id, status, body }),
      );
      return jsonReply(list, manner, 207, manner.dice.pick(batchTypes));
    },
  };
}

/** Randomness that never compresses, so that the text can be changed. */
class Unpacked extends Dice {
  override chance(): boolean {
    return false;
  }
}

/** The multipart form with its text changed. */
function multipart(
  name: string,
  spoil: (text: string, type: string) => { text: string; type: string },
): Disallowed {
  return {
    name,
    insteadOf: ['several'],
    write: (content, request, manner): WireReply => {
      const dice = new Unpacked(manner.seed);
      const reply = asMultipart(partsOf(content, manner), request, { ...manner, dice });
      const type = reply.headers.find(([key]) => key.toLowerCase() === 'content-type')?.[1] ?? '';
      const spoilt = spoil(reply.body.toString('utf8'), type);
      return dress({ status: 207, type: spoilt.type, body: spoilt.text }, manner.dice);
    },
  };
}

const foreignIds = (content: Content, manner: Manner): readonly WrittenPart[] =>
  partsOf(content, manner).map(({ status, body }, index) => ({ id: `9${index}00000001`, status, body }));

const without = (name: string) => (item: Members) => {
  const { [name]: _lost, ...rest } = item;
  return rest;
};

const leavesRecords = ({ method }: ForeignRequest): boolean => method !== 'DELETE';

/** Replies to a request for several items that leave the result of every item unknown. */
export const batchCatalogue: readonly Disallowed[] = [
  items('parts without their id', without('resourceId')),
  items('parts without a status', without('status')),
  items('parts whose status is a text', (item) => ({ ...item, status: 'done' })),
  items('parts that are null', () => null),
  items('parts that are texts', () => 'done'),
  items('parts that are bodies', (item) => (isMembers(item['body']) ? { note: 'no id' } : null)),
  {
    name: 'parts of other ids',
    insteadOf: ['several'],
    write: (content: Content, request: ForeignRequest, manner: Manner) =>
      (manner.dice.chance(0.5) ? asArray : asMultipart)(foreignIds(content, manner), request, manner),
  },
  {
    name: 'one record for all',
    insteadOf: ['several'],
    write: (_content, _request, manner) => jsonReply({ id: 987_654_321_000n, note: 'another' }, manner),
  },
  multipart('a multipart reply without a boundary', (text) => ({ text, type: 'multipart/mixed' })),
  multipart('a multipart reply with another boundary', (text) => ({
    text,
    type: 'multipart/mixed; boundary=other',
  })),
  multipart('a multipart reply whose list is lost', (text, type) => ({
    text: text.replace(/\{"response":\[[^\]]*\]\}/, '{"response":[]}'),
    type,
  })),
  multipart('a multipart reply whose list is not JSON', (text, type) => ({
    text: text.replace('{"response"', '<html>'),
    type,
  })),
  multipart('a multipart reply that breaks off in its list', (text, type) => ({
    text: text.slice(0, text.indexOf('"response"') + 20),
    type,
  })),
  // A deletion leaves no record, so the list of its statuses proves it.
  {
    ...multipart('a multipart reply that breaks off after its list', (text, type) => ({
      text: text.slice(0, text.search(/\}\s*\]\s*\}\s*--/) + 20),
      type,
    })),
    suits: leavesRecords,
  },
  { ...items('parts without their bodies', without('body')), suits: leavesRecords },
];
