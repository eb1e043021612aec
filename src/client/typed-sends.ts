import { bodyMembers, jsonIn } from '../platform/body-members.ts';
import { isJsonObject } from '../platform/json.ts';
import { comparablePath } from '../platform/request-path.ts';
import { sendingPath, type ReceiptKind } from '../platform/sending-paths.ts';
import { namedByExtension, namedById, readBatchReply, type BatchAnswer } from './batch-reply.ts';
import type { Call, RequestOptions } from './call.ts';
import type { HttpReply, ReplyPart } from './http.ts';
import { readReplyValue } from './reply-value.ts';
import { ReplyError } from '../errors/service.ts';
import { presenceShape } from './shapes/account.ts';
import { ringOutShape } from './shapes/call.ts';
import { businessHoursShape } from './shapes/hours.ts';
import { messageReportShape } from './shapes/message-report.ts';
import { messageShape } from './shapes/message.ts';
import { oneMessage } from './shapes/one-message.ts';
import {
  key,
  nothing,
  nothingOr,
  nothingOr200,
  object,
  record,
  type ReplyShape,
  word,
} from './shapes/shape.ts';

const recordShape = record<{ id: string }>({ id: key }, ['id']);

/** A call session is in the member `session`; a reply with only the session is accepted, too. */
const sessionShape: ReplyShape = {
  ...recordShape,
  problem: (value) =>
    recordShape.problem(isJsonObject(value) && value['session'] !== undefined ? value['session'] : value),
};

const sends: Readonly<Record<ReceiptKind, ReplyShape>> = {
  message: messageShape,
  record: recordShape,
  'ring-out': ringOutShape,
  session: sessionShape,
};

/**
 * A plausible reply to a change of an unknown path: nothing (204, 205), a record with `id` or `uri`, or a list of
 * records. A captive portal, a proxy and an error body return none of these. A record that only repeats the request
 * proves nothing, because any server may do so.
 */
const plausible: ReplyShape = {
  emptyStatuses: [204, 205],
  // 202 is documented for requests that start a task, such as a report.
  statuses: [200, 201, 202],
  problem: (value) => {
    if (!isJsonObject(value)) return 'a body that is not a JSON object';
    const isRecord =
      key.read(value['id']) !== undefined ||
      word.read(value['uri']) !== undefined ||
      Array.isArray(value['records']);
    return isRecord ? undefined : 'a record that does not prove the change';
  },
  correct: () => undefined,
};

/** The presence of one extension in all services of the account, which has no ID. */
const unifiedPresence = record<{ status: string; chat: object; meeting: object; telephony: object }>(
  { status: word, chat: object({}), meeting: object({}), telephony: object({}) },
  [],
  ['chat', 'meeting', 'telephony'],
);

/** Changes whose documented replies differ from `plausible`, by method and the end of the path (`comparablePath`). */
const changes: readonly (readonly [RegExp, ReplyShape])[] = [
  [/^post \/restapi\/oauth\/revoke$/, nothingOr200],
  [
    /^post \/restapi\/oauth\/token$/,
    record<{ access_token: string }>({ access_token: word }, ['access_token']),
  ],
  [
    /^post \/restapi\/oauth\/wstoken$/,
    record<{ ws_access_token: string }>({ ws_access_token: word }, ['ws_access_token']),
  ],
  [
    /^post .*\/webhook\/[^/]+(\/[^/]+)?$/,
    nothingOr(record<{ status: string }>({ status: word }, ['status'])),
  ],
  [/^post .*\/webhooks\/[^/]+\/(activate|suspend)$/, nothingOr(recordShape)],
  [/^delete .*\/(chat|team-messaging\/v\d+)\/webhooks\/[^/]+$/, nothingOr200],
  [/^delete .*\/(message-store|subscription|ring-?out|answering-rule)(\/[^/,*]+)?$/, nothing],
  [/^post .*\/bulk-assign$/, nothing],
  [/^post .*\/subscription(\/[^/]+\/renew)?$/, recordShape],
  [/^put .*\/subscription\/[^/]+$/, recordShape],
  [/^post .*\/message-store-report$/, messageReportShape],
  [/^post .*\/(answering-rule|call-queues|extension|extension-bulk-update)$/, recordShape],
  [/^put .*\/business-hours$/, businessHoursShape],
  [/^patch .*\/extension\/[^/,*]+\/unified-presence$/, unifiedPresence],
];

/**
 * Returns the shape that proves a request of `ucctl api` that makes a change: that of its operation, or for an unknown
 * path a plausible reply.
 */
function proofOfChange(call: Call): ReplyShape {
  if (call.reply) return call.reply;
  const path = comparablePath(call.path);
  const receipt = call.method === 'POST' ? sendingPath(path)?.receipt : undefined;
  if (receipt) return sends[receipt];
  const line = `${call.method.toLowerCase()} ${path}`;
  const [, id] = /^(?:put|patch) .*\/message-store\/(\d+)$/.exec(line) ?? [];
  if (id !== undefined) return withoutList(oneMessage(call.method, id));
  if (/^put .*\/extension\/[^/,*]+\/presence$/.test(line)) return withoutList(presenceAsked(call));
  return withoutList(changes.find(([end]) => end.test(line))?.[1] ?? plausible);
}

/**
 * A presence that names another value than the request contradicts it. The service may shorten the message, so it is
 * not compared.
 */
function presenceAsked({ body }: Call): ReplyShape {
  const { message: _message, ...asked } = bodyMembers(body) ?? {};
  return {
    ...presenceShape,
    problem: (value) => {
      const found = isJsonObject(value) ? value : {};
      const other = Object.entries(asked).find(([name, one]) => contradicts(found[name], one));
      return presenceShape.problem(value) ?? (other && `a different "${other[0]}" than requested`);
    },
  };
}

/** Whether a member of a reply has another value than the member of the request; a boolean may be a string. */
function contradicts(found: unknown, asked: unknown): boolean {
  const isComparable = typeof asked === 'string' || typeof asked === 'boolean';
  return isComparable && found !== undefined && found !== null && textOf(found) !== textOf(asked);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Rejects a list, which `partsOf` reads. */
function withoutList(shape: ReplyShape): ReplyShape {
  return {
    ...shape,
    problem: (value) => (Array.isArray(value) ? 'a list without the ID of a resource' : shape.problem(value)),
  };
}

/** Returns the IDs of a request about several resources, from the path or from the body (BATCH); empty for any other. */
function idsOf({ path, body }: Call): readonly string[] {
  // IDs and separators are ASCII, and other percent-encodings may not be UTF-8.
  const segments = decodeURIComponent(path.replaceAll(/%(?![0-7][0-9a-f])/gi, '%25')).split('/');
  const several = segments.find((one) => one.includes(','));
  if (several !== undefined) return [...new Set(several.split(',').filter((id) => id !== ''))];
  if (!segments.includes('*')) return [];
  const items = typeof body === 'string' || body instanceof Uint8Array ? jsonIn(body) : body;
  const named = Array.isArray(items) ? items.filter(isJsonObject).map((item) => item['resourceId']) : [];
  return [...new Set(named.filter((id) => typeof id === 'string' || typeof id === 'number').map(String))];
}

/**
 * Reads the whole reply to a change and returns it unchanged, with the answer for each resource if the request names
 * several.
 * @throws {ReplyError} if it does not prove that the request was processed.
 */
export async function provenReply(
  reply: HttpReply,
  call: Call,
  onUnproven?: RequestOptions['onUnproven'],
): Promise<HttpReply> {
  const text = await reply.text();
  const whole: HttpReply = {
    ...reply,
    text: () => Promise.resolve(text),
    async *bytes() {
      yield Buffer.from(text, 'utf8');
    },
    discard: () => Promise.resolve(),
  };
  const parts = call.reply ? undefined : partsOf(reply, text, call);
  if (parts && !(parts instanceof ReplyError)) return { ...whole, parts };
  const wrong =
    parts ??
    readReplyValue(
      { status: reply.status, text, contentType: reply.header('content-type') },
      { ...call, reply: proofOfChange(call) },
    ).wrong;
  if (!wrong) return whole;
  onUnproven?.({ reply: whole, text });
  throw wrong;
}

/**
 * Returns the answer for each resource of a reply about several, or the error of a reply without any of them; undefined
 * for a reply about one resource.
 */
function partsOf(reply: HttpReply, text: string, call: Call): readonly ReplyPart[] | ReplyError | undefined {
  const { status } = reply;
  const ids = idsOf(call);
  if (ids.length > 0 && call.method === 'DELETE' && status === 204) return ids.map((id) => ({ id, status }));
  const contentType = reply.header('content-type');
  const naming = comparablePath(call.path).endsWith('/presence') ? namedByExtension : namedById;
  const read = readBatchReply({ status, text, contentType }, { method: call.method, naming });
  const answers: ReadonlyMap<string, BatchAnswer> = read ?? new Map();
  if (answers.size === 0 && ids.length === 0) return undefined;
  const named = ids.length > 0 ? ids : [...answers.keys()];
  const parts = named.map((id) => ({ id, status: answers.get(id)?.status }));
  return parts.some((part) => part.status !== undefined)
    ? parts
    : new ReplyError(status, call, 'a body without a result for any of the IDs', { mayBeDone: true });
}
