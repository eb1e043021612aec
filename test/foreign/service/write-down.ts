import type { Content, ForeignRequest, Part } from './content.ts';
import { Dice } from '../../support/dice.ts';
import { toJson, vary, type Variation } from './make.ts';
import { isMembers, type Members, type Value } from './shape.ts';
import { batchTypes, dress, jsonTypes, type WireReply } from './wire.ts';
import { idText, media, type Row } from './world.ts';

/** How replies are written: the source of randomness, and how far they differ from the documents. */
export interface Manner {
  readonly dice: Dice;
  readonly how: Variation;
  /** So that a row is written in the same way for every request. */
  readonly seed: number;
}

/** A reply, and the rows in it as they were written. */
export interface Written {
  readonly reply: WireReply;
  readonly rows: readonly Members[];
}

/** Identifies a row: its id, or that of its extension. */
export function keyOf(value: Members): string {
  const { id, extension, member, callQueue } = value;
  const owner = [extension, member, callQueue].find(isMembers);
  return id === undefined && owner ? `extension ${idText(owner['id'])}` : idText(id);
}

export function rowMembers(row: Row, { how, seed }: Manner): Members {
  const dice = new Dice(`${seed} ${keyOf(row.value)} ${Object.keys(row.shape.members).length}`);
  const value = vary(row.shape, row.value, dice, how, row.pinned);
  return isMembers(value) ? value : {};
}

const indents = ['', '', '\n  '] as const;

/** JSON, compact or not, with white space around it. */
export function jsonReply(value: Value, manner: Manner, status = 200, type?: string): WireReply {
  const { dice } = manner;
  const body = `${dice.pick(['', '', '\n', ' \r\n'])}${toJson(value, dice.pick(indents))}${dice.pick(['', '\n'])}`;
  return dress({ status, type: type ?? dice.pick(jsonTypes), body }, dice);
}

/** Writes the answer of an operation in one of the ways that are allowed. */
export function writeDown(content: Content, request: ForeignRequest, manner: Manner): Written {
  const { dice } = manner;
  switch (content.kind) {
    case 'record': {
      const value = rowMembers(content.row, manner);
      return { reply: jsonReply(value, manner), rows: [value] };
    }
    case 'list':
      return writeList(content.rows, request, manner);
    case 'sync': {
      const rows = content.rows.map((row) => rowMembers(row, manner));
      const syncInfo = rowMembers(content.info, manner);
      const uri = dice.chance(0.5) ? { uri: request.url.href } : {};
      return { reply: jsonReply({ ...uri, records: rows, syncInfo }, manner), rows };
    }
    case 'several':
      return writeSeveral(content.parts, request, manner);
    case 'nothing':
      return { reply: dress({ status: content.status, body: '' }, dice), rows: [] };
    case 'media':
      return { reply: mediaReply(request, dice), rows: [] };
    case 'rejection':
      break;
  }
  return { reply: rejectionReply(content, manner), rows: [] };
}

function rejectionReply(
  { status, code, message }: { readonly status: number; readonly code: string; readonly message: string },
  manner: Manner,
): WireReply {
  const errors = manner.dice.chance(0.5) ? { errors: [{ errorCode: code, message }] } : {};
  return jsonReply({ errorCode: code, message, ...errors }, manner, status);
}

function mediaReply({ headers }: ForeignRequest, dice: Dice): WireReply {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers['range'] ?? '') ?? [];
  const end = Math.min(last === '' ? media.length - 1 : Number(last), media.length - 1);
  const isPart = headers['range'] !== undefined;
  const body = media.subarray(Number(first), end + 1);
  const reply = dress({ status: isPart ? 206 : 200, body }, dice);
  const range = isPart ? [['Content-Range', `bytes ${first}-${end}/${media.length}`] as const] : [];
  return { ...reply, headers: [...reply.headers, ['Content-Type', 'audio/x-wav'], ...range] };
}

/** Page and page size: in the query, or in the body of a search. */
function positionOf({ method, url, body }: ForeignRequest): URLSearchParams {
  if (method !== 'POST') return url.searchParams;
  const { page = 1, perPage = 100 } = JSON.parse(body || '{}') as Readonly<Record<string, number>>;
  return new URLSearchParams({ page: String(page), perPage: String(perPage) });
}

/** One page or two; the next page is announced in at least one of the ways in the documents. */
function writeList(rows: readonly Row[], request: ForeignRequest, manner: Manner): Written {
  const { dice, seed } = manner;
  const query = positionOf(request);
  const asked = Math.min(Number(query.get('perPage') ?? 100) || 100, 1000);
  const isCut =
    rows.length > 1 && new Dice(`${seed} ${request.url.pathname}`).chance(0.3) && query.has('page');
  const perPage = isCut ? Math.min(asked, Math.ceil(rows.length / 2)) : asked;
  const page = Number(query.get('page') ?? 1) || 1;
  const totalPages = Math.max(1, Math.ceil(rows.length / perPage));
  const values = rows.slice((page - 1) * perPage, page * perPage).map((row) => rowMembers(row, manner));
  const isLast = page >= totalPages;
  const says = { total: dice.chance(0.5), next: dice.chance(0.5) };
  const mustSay = !isLast && !says.total && !says.next;
  const next = new URL(request.url);
  next.searchParams.set('page', String(page + 1));
  const paging: Members = {
    perPage,
    page,
    ...(says.total || mustSay ? { totalPages, totalElements: rows.length } : {}),
    ...(dice.chance(0.5) ? { pageStart: (page - 1) * perPage } : {}),
  };
  const value: Members = {
    ...(dice.chance(0.5) ? { uri: request.url.href } : {}),
    ...(dice.chance(0.7) || !isLast ? { paging } : {}),
    records: values,
    ...(says.next ? { navigation: isLast ? {} : { nextPage: { uri: next.href } } } : {}),
  };
  const shuffled = Object.fromEntries(dice.shuffled(Object.entries(value)));
  return { reply: jsonReply(shuffled, manner), rows: values };
}

/** One item as a record; several as a 207 reply in the form that the request accepts. */
function writeSeveral(parts: readonly Part[], request: ForeignRequest, manner: Manner): Written {
  const [only, second] = parts;
  if (only && !second && request.method !== 'DELETE' && !request.url.pathname.endsWith('/*')) {
    if (!only.row) {
      const missing = { status: 404, code: 'CMN-102', message: 'Resource is not found' };
      return { reply: rejectionReply(missing, manner), rows: [] };
    }
    const value = rowMembers(only.row, manner);
    return { reply: jsonReply(value, manner), rows: [value] };
  }
  const written = parts.map(({ id, row }) => {
    const body: Value = row
      ? rowMembers(row, manner)
      : { errorCode: 'CMN-102', message: 'Resource is not found', errors: [] };
    return { id, status: row ? 200 : 404, body };
  });
  const rows = parts.flatMap(({ row }) => (row ? [rowMembers(row, manner)] : []));
  const isArray = /multipart\+json/i.test(request.headers['accept'] ?? '');
  return { reply: (isArray ? asArray : asMultipart)(written, request, manner), rows };
}

export interface WrittenPart {
  readonly id: string;
  readonly status: number;
  readonly body: Value;
}

export function asArray(parts: readonly WrittenPart[], request: ForeignRequest, manner: Manner): WireReply {
  const { dice } = manner;
  const items = dice.shuffled(parts).map(({ id, status, body }) => {
    const resourceId: Value = /^[1-9]\d*$/.test(id) && dice.chance(0.3) ? BigInt(id) : id;
    const href = dice.chance(0.5) ? { href: hrefOf(id, request) } : {};
    return Object.assign({ resourceId, status, body }, href);
  });
  return jsonReply(items, manner, 207, dice.pick(batchTypes));
}

function hrefOf(id: string, { url }: ForeignRequest): string {
  // The ids are in one segment, or it is a star when they are in the body.
  const segments = url.pathname.split('/').map((part) => (/[,*]|%2C/i.test(part) ? id : part));
  return new URL(segments.join('/'), url).href;
}

const batchKinds = [
  'multipart/mixed; boundary',
  'Multipart/Mixed; Boundary',
  'multipart/mixed;charset=UTF-8;boundary',
] as const;

export function asMultipart(
  parts: readonly WrittenPart[],
  request: ForeignRequest,
  manner: Manner,
): WireReply {
  const { dice } = manner;
  // Without variation it has the form of the published examples; many clients know no other form.
  const isPlain = manner.how.unknownMembers === 0;
  const boundary = isPlain ? 'Boundary_1_2' : dice.pick(['Boundary_1_2', 'a=b', "x'(y)+z", '----=_Part.7']);
  const end = isPlain ? '\r\n' : dice.pick(['\r\n', '\r\n', '\n']);
  const type = dice.pick(['application/json', 'Application/JSON;charset=UTF-8']);
  const head = {
    response: parts.map(({ id, status }) => {
      const words: Members = dice.chance(0.5)
        ? { responseDescription: status === 200 ? 'OK' : 'Not Found' }
        : {};
      return Object.assign({ href: hrefOf(id, request), status }, words);
    }),
  };
  const pieces = [head, ...parts.map(({ body }) => body)].map((value) =>
    [`--${boundary}`, `${dice.pick(['Content-Type', 'content-type'])}: ${type}`, '', toJson(value)].join(end),
  );
  const preamble = isPlain ? '' : dice.pick(['', '', end, end, `This is a message in several parts.${end}`]);
  const body = `${preamble}${pieces.join(end)}${end}--${boundary}--${dice.pick(['', end])}`;
  const isQuoted = !/^[\w.-]+$/.test(boundary) || (!isPlain && dice.chance(0.5));
  const parameter = isQuoted ? `"${boundary}"` : boundary;
  const kind = isPlain ? 'multipart/mixed; boundary' : dice.pick(batchKinds);
  return dress({ status: 207, type: `${kind}=${parameter}`, body }, dice);
}
