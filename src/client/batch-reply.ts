import { isJsonObject, parseJson } from '../platform/json.ts';
import { errorIn } from '../platform/error-body.ts';
import { isJsonType } from '../platform/json-type.ts';

/** The part of a reply to a multi-ID request that belongs to one ID. */
export interface BatchAnswer {
  readonly status: number;
  /** For a 2xx status the record, if it has the requested ID; otherwise the service's error body. */
  readonly body: unknown;
  /** The service's description of the status, if any. */
  readonly description: string | undefined;
}

/** How a reply to a multi-ID request identifies the records of a resource. */
export interface BatchNaming {
  readonly idOf: (record: Readonly<Record<string, unknown>>) => unknown;
  /** Path after the ID in the URL of the resource, such as `/presence`. */
  readonly suffix?: string;
}

/** For messages and calls: their `id` is also the last segment of their URL. */
export const namedById: BatchNaming = { idOf: ({ id }) => id };

/** For a presence: it is identified by the ID of its extension, and its URL ends in `/presence`. */
export const namedByExtension: BatchNaming = {
  idOf: ({ extension }) => (isJsonObject(extension) ? extension['id'] : undefined),
  suffix: '/presence',
};

/** A reply to a multi-ID request. */
interface BatchReply {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | undefined;
}

/** The request that a reply belongs to. */
export interface BatchAsked {
  readonly method: string;
  readonly naming?: BatchNaming | undefined;
}

/**
 * Reads a reply to a multi-ID request: `multipart/mixed`, whose first part lists address and status of each ID, or a
 * JSON array whose items have a `resourceId`. An ID counts as answered only if the reply proves its status; parts are
 * matched by ID, never by position alone. An ID with two contradicting statuses counts as not answered.
 * @returns undefined for a text in neither format, and for a reply that cannot prove a change.
 */
export function readBatchReply(
  { status, text, contentType }: BatchReply,
  asked: BatchAsked,
): ReadonlyMap<string, BatchAnswer> | undefined {
  const { method, naming = namedById } = asked;
  const isMultipart = /^\s*multipart\//i.test(contentType ?? '');
  const isProof = (status === 200 || status === 207) && (isMultipart || isJsonType(contentType));
  if (method !== 'GET' && !isProof) return undefined;
  const items = isMultipart ? multipartItems(text, boundaryOf(contentType), naming) : jsonItems(text);
  return items && answersIn(items, asked);
}

/** Returns the answers in the items of a reply, by ID. */
export function answersIn(items: readonly unknown[], asked: BatchAsked): ReadonlyMap<string, BatchAnswer> {
  const answers = new Map<string, BatchAnswer>();
  const contradicted = new Set<string>();
  for (const item of items.filter(isJsonObject)) {
    const named = answerOf(item, asked.naming ?? namedById);
    if (!named) continue;
    const { id, answer } = named;
    const before = answers.get(id);
    if (before && isDone(before.status) !== isDone(answer.status)) contradicted.add(id);
    if (!before) answers.set(id, answer);
  }
  for (const [id, answer] of answers) {
    if (contradicted.has(id) || !isProven(answer, asked.method)) answers.delete(id);
  }
  return answers;
}

/**
 * Whether an answer proves its status. A success needs the record, without an error; a deletion leaves no record. Other
 * statuses than these, such as 202, do not say that the change was made.
 */
function isProven({ status, body }: BatchAnswer, method: string): boolean {
  if (!isDone(status)) return true;
  if (method === 'GET') return body !== undefined;
  if (errorIn(body) !== undefined) return false;
  return method === 'DELETE' ? status === 200 || status === 204 : status === 200 && body !== undefined;
}

/** Whether the status of one ID means success. */
export function isDone(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Returns an ID as text; undefined for any other value. */
function idText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

type Item = Readonly<Record<string, unknown>>;

/** Returns the answer in an item. Undefined without one, or if a successful status does not prove the change. */
function answerOf(
  item: Item,
  { idOf, suffix = '' }: BatchNaming,
): { readonly id: string; readonly answer: BatchAnswer } | undefined {
  const { resourceId, href, status, body, responseDescription } = item;
  const id = idText(resourceId) ?? (typeof href === 'string' ? idOfAddress(href, suffix) : undefined);
  if (id === undefined || id === '' || typeof status !== 'number' || !Number.isInteger(status))
    return undefined;
  const description = typeof responseDescription === 'string' ? responseDescription : undefined;
  if (!isDone(status)) return { id, answer: { status, body, description } };
  const owner = isJsonObject(body) ? idText(idOf(body)) : undefined;
  if (owner === id) return { id, answer: { status, body, description } };
  const isContradiction = owner !== undefined || errorIn(body) !== undefined;
  return isContradiction ? undefined : { id, answer: { status, body: undefined, description } };
}

/** Last segment of an address, or the one before `suffix`; the address may be relative and may have a query. */
function idOfAddress(href: string, suffix: string): string | undefined {
  const path = href.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  if (!path.endsWith(suffix)) return undefined;
  const segment =
    path
      .slice(0, path.length - suffix.length)
      .split('/')
      .at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function jsonItems(text: string): readonly Item[] | undefined {
  const value = jsonOf(text);
  return Array.isArray(value) ? value.filter(isJsonObject) : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function boundaryOf(contentType = ''): string | undefined {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

/**
 * Returns the entries of the first part with their records. An entry has no record if its part is missing or truncated.
 */
function multipartItems(
  text: string,
  boundary: string | undefined,
  { idOf, suffix = '' }: BatchNaming,
): readonly Item[] | undefined {
  if (boundary === undefined) return undefined;
  const [head, ...bodies] = partsOf(text, boundary).map(jsonOf);
  const response = isJsonObject(head) ? head['response'] : undefined;
  if (!Array.isArray(response)) return undefined;
  const records = new Map(
    bodies.filter(isJsonObject).map((body): [string | undefined, unknown] => [idText(idOf(body)), body]),
  );
  const isComplete = response.length === bodies.length;
  return response.flatMap((entry: unknown, index): readonly Item[] => {
    if (!isJsonObject(entry)) return [];
    const id = typeof entry['href'] === 'string' ? idOfAddress(entry['href'], suffix) : undefined;
    const own = id === undefined ? undefined : records.get(id);
    return [{ ...entry, body: own ?? (isComplete ? bodies[index] : undefined) }];
  });
}

/**
 * Contents of the parts, without their headers. In a truncated reply the text after the last boundary is a part, too.
 */
function partsOf(text: string, boundary: string): readonly string[] {
  const escaped = boundary.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const delimiter = new RegExp(String.raw`(?:^|\r?\n)--${escaped}(--)?[ \t]*(?=\r?\n|$)`, 'g');
  const parts: string[] = [];
  let start: number | undefined;
  for (const match of text.matchAll(delimiter)) {
    if (start !== undefined) parts.push(contentOf(text.slice(start, match.index)));
    start = match.index + match[0].length;
    if (match[1] !== undefined) return parts;
  }
  if (start !== undefined) parts.push(contentOf(text.slice(start)));
  return parts;
}

/** Returns the content of a part, which begins after the empty line that ends its headers. */
function contentOf(part: string): string {
  const [, content] = /\r?\n\r?\n([\s\S]*)$/.exec(part) ?? [];
  return content ?? part;
}
