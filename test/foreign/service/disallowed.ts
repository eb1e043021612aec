import type { Content, ForeignRequest } from './content.ts';
import { toJson } from './make.ts';
import { isMembers, type Members, type Value } from './shape.ts';
import { batchCatalogue } from './disallowed-batch.ts';
import { dress, jsonTypes, type WireReply } from './wire.ts';
import { jsonReply, rowMembers, type Manner } from './write-down.ts';
import type { Row } from './world.ts';

/** A reply that proves nothing to a client. */
export interface Disallowed {
  readonly name: string;
  /** Kinds of content that the reply can replace. */
  readonly insteadOf: readonly Content['kind'][];
  /** Requests to which the reply proves nothing; undefined for all. */
  readonly suits?: (request: ForeignRequest) => boolean;
  readonly write: (content: Content, request: ForeignRequest, manner: Manner) => WireReply;
}

const all = ['record', 'list', 'sync', 'several', 'nothing'] as const;
const withBody = ['record', 'list', 'sync', 'several'] as const;
const lists = ['list', 'sync'] as const;
const records = ['record', 'several'] as const;

const page = '<!DOCTYPE html><html><head><title>Wi-Fi</title></head><body>Sign in to go on</body></html>';

function body(
  name: string,
  insteadOf: Disallowed['insteadOf'],
  reply: { readonly status?: number; readonly type?: string | undefined; readonly text: string },
): Disallowed {
  const { status = 200, type = 'application/json', text } = reply;
  return {
    name,
    insteadOf,
    write: (_content, _request, { dice }) => dress({ status, type, body: text }, dice),
  };
}

function json(name: string, insteadOf: Disallowed['insteadOf'], value: Value, status = 200): Disallowed {
  return { name, insteadOf, write: (_content, _request, manner) => jsonReply(value, manner, status) };
}

function redirect(status: number, location: string): Disallowed {
  return {
    name: `redirect ${status} to ${location}`,
    insteadOf: all,
    write: (_content, { url }, { dice }) => {
      const reply = dress({ status, type: 'text/html', body: page }, dice);
      return { ...reply, headers: [...reply.headers, ['Location', location.replace('ORIGIN', url.origin)]] };
    },
  };
}

/** The whole reply with its end cut off. */
const truncated: Disallowed = {
  name: 'JSON that breaks off',
  insteadOf: withBody,
  write: (content, _request, manner) => {
    const whole = toJson(valueOf(content, manner));
    const length = manner.dice.integer(1, Math.max(1, whole.length - 1));
    return dress(
      { status: 200, type: manner.dice.pick(jsonTypes), body: whole.slice(0, length) },
      manner.dice,
    );
  },
};

/** The value of an allowed reply in its plainest form. */
function valueOf(content: Content, manner: Manner): Value {
  switch (content.kind) {
    case 'record':
      return rowMembers(content.row, manner);
    case 'list':
      return { records: content.rows.map((row) => rowMembers(row, manner)) };
    case 'sync':
      return {
        records: content.rows.map((row) => rowMembers(row, manner)),
        syncInfo: rowMembers(content.info, manner),
      };
    case 'several':
    case 'nothing':
    case 'media':
    case 'rejection':
      break;
  }
  const first = content.kind === 'several' ? content.parts[0]?.row : undefined;
  return first ? rowMembers(first, manner) : {};
}

/** Values that identify nothing: of a type other than text or digits, an empty text, or a number that is not positive. */
const noKey: readonly Value[] = [null, true, {}, [], '', ' ', { id: '1' }, 1.5, 0, -1];

function without(row: Row, manner: Manner, replacement?: Value): Members {
  const { shape } = row;
  // A record without a member that it needs.
  if (shape.keys.length === 0) return { note: replacement ?? 'something else' };
  const name = manner.dice.pick(shape.keys);
  const { [name]: _lost, ...rest } = rowMembers(row, manner);
  if (replacement === undefined) return rest;
  const isRecordKey = shape.members[name]?.kind === 'record';
  return { ...rest, [name]: isRecordKey ? manner.dice.pick([null, 'text', 5, []]) : replacement };
}

/** The reply in which one row, or the only one, lacks a member that identifies it. */
function spoilt(content: Content, manner: Manner, replacement?: Value): Value {
  if (content.kind === 'record') return without(content.row, manner, replacement);
  if (content.kind === 'several') {
    const row = content.parts.find((part) => part.row)?.row;
    return row ? without(row, manner, replacement) : {};
  }
  const value = valueOf(content, manner);
  const { rows } = content as Extract<Content, { kind: 'list' | 'sync' }>;
  if (!isMembers(value) || rows.length === 0) return {};
  const at = manner.dice.integer(0, rows.length - 1);
  const spoiltRows = rows.map((row, index) =>
    index === at ? without(row, manner, replacement) : rowMembers(row, manner),
  );
  return { ...value, records: spoiltRows };
}

const lacking: Disallowed = {
  name: 'a member that identifies is missing',
  insteadOf: withBody,
  write: (content, _request, manner) => jsonReply(spoilt(content, manner), manner),
};
const mistyped: Disallowed = {
  name: 'a member that identifies is of another type',
  insteadOf: withBody,
  write: (content, _request, manner) => jsonReply(spoilt(content, manner, manner.dice.pick(noKey)), manner),
};
const noToken: Disallowed = {
  name: 'a sync without a token',
  insteadOf: ['sync'],
  write: (content, _request, manner) => {
    const value = valueOf(content, manner);
    const info: Value = manner.dice.pick([{}, { syncToken: 5 }, { syncToken: null }, null, 'text']);
    return jsonReply({ ...(isMembers(value) ? value : {}), syncInfo: info }, manner);
  },
};

/** Whether a request makes a change. Reports start with 202; the token endpoint is read by the sign-in. */
const isChange = ({ method, url }: ForeignRequest): boolean =>
  method !== 'GET' && !/\/(message-store-report|oauth\/token)$/.test(url.pathname);

/** The whole record with more members, or with another status or content type. */
function alongside(
  name: string,
  more: { readonly members?: Members; readonly status?: number; readonly type?: string },
): Disallowed {
  return {
    name,
    insteadOf: records,
    suits: isChange,
    write: (content, _request, manner) => {
      const value = valueOf(content, manner);
      const whole = { ...(isMembers(value) ? value : {}), ...more.members };
      return jsonReply(whole, manner, more.status, more.type);
    },
  };
}

const errorBody = { errorCode: 'CMN-101', message: 'Parameter [to] value is invalid', errors: [] };

/** The answers of a host that does not belong to the service. */
export const elsewhere = body('HTML', all, { type: 'text/html; charset=utf-8', text: page });

/** Replies that a client must not accept, whatever their status is. */
export const catalogue: readonly Disallowed[] = [
  elsewhere,
  body('HTML that says it is JSON', all, { text: page }),
  body('plain text', all, { type: 'text/plain', text: 'OK' }),
  body('XML', all, { type: 'application/xml', text: '<?xml version="1.0"?><ok/>' }),
  body('an empty body', withBody, { type: undefined, text: '' }),
  body('an empty body that says it is JSON', withBody, { text: '' }),
  body('202 without a body', withBody, { status: 202, type: undefined, text: '' }),
  body('202 in place of 204', ['nothing'], { status: 202, type: undefined, text: '' }),
  body('204 in place of a record', records, { status: 204, type: undefined, text: '' }),
  body('white space', withBody, { text: ' \n' }),
  body('single quotes', all, { text: "{'id': 1}" }),
  body('two documents', all, { text: '{"a":1}{"b":2}' }),
  json('null', all, null),
  json('true', all, true),
  json('a number', all, 5),
  json('a text', all, 'done'),
  json('an empty list', all, []),
  json('a list of texts', all, ['done']),
  json('an empty record', all, {}),
  json('a captive portal', all, { login: 'https://wifi.example/login' }),
  json('a gateway', all, { error: 'gateway' }),
  json('an error under 200', all, errorBody),
  json('an error under 201', all, errorBody, 201),
  json('202, queued', all, { queued: true }, 202),
  json('207 with a record of one status', all, { status: 400 }, 207),
  json('207 with an error body', all, errorBody, 207),
  json('a list where a record is wanted', ['record'], { records: [] }),
  json('records that are not a list', lists, { records: {} }),
  json('records that are null', lists, { records: null }),
  json('records that are texts', lists, { records: ['a', 'b'] }),
  json('records that are null each', lists, { records: [null] }),
  truncated,
  alongside('a record with an error code', { members: { errorCode: 'CMN-101' } }),
  alongside('a record with errors', { members: { errors: [{ errorCode: 'CMN-101' }] } }),
  alongside('a record with an error', { members: { error: 'gateway' } }),
  alongside('202 with the record', { status: 202 }),
  alongside('207 with the record', { status: 207 }),
  alongside('a record that says it is HTML', { type: 'text/html; charset=utf-8' }),
  lacking,
  mistyped,
  noToken,
  redirect(301, 'https://wifi.example/login'),
  redirect(302, 'ORIGIN/login'),
  redirect(303, 'ORIGIN/restapi'),
  redirect(307, 'http://192.0.2.1/'),
  redirect(308, ''),
];

/** Replies that may replace an answer of this kind; a client accepts every rejection. */
export function disallowedFor(content: Content, request: ForeignRequest): readonly Disallowed[] {
  const isSeveral = content.kind === 'several' && content.parts.length > 1;
  const some = isSeveral
    ? [...batchCatalogue, ...overall]
    : catalogue.filter(({ insteadOf }) => insteadOf.includes(content.kind));
  return some.filter(({ suits }) => suits?.(request) ?? true);
}

const overall = catalogue.filter(({ insteadOf }) => insteadOf === all);
