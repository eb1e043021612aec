import { gzipSync } from 'node:zlib';
import type { Dice } from '../../support/dice.ts';

/** A reply as it is sent. */
export interface WireReply {
  readonly status: number;
  /** In the order and the spelling in which they are sent. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Whether the body is sent in chunks, without its length. */
  readonly isChunked: boolean;
}

export const jsonTypes = [
  'application/json',
  'application/json;charset=UTF-8',
  'application/json; charset=utf-8',
  'Application/JSON ; Charset="UTF-8"',
  'application/json; profile="v1"; charset=utf-8',
  'application/vnd.ringcentral.v1+json',
  'text/json',
] as const;

export const batchTypes = [
  'application/vnd.ringcentral.multipart+json',
  'application/vnd.ringcentral.multipart+json;charset=UTF-8',
  'Application/Vnd.RingCentral.Multipart+JSON; charset=utf-8',
] as const;

const odd = ['', 'banana', '-1', '1e9'] as const;

/** Headers that a service may add, also with meaningless values. */
function further(dice: Dice): readonly (readonly [string, string])[] {
  const all: readonly (readonly [string, string])[] = [
    ['X-Request-Id', `r-${dice.integer(1, 1e9)}`],
    ['RCRequestId', 'another-name'],
    ['X-Rate-Limit-Group', dice.pick(['light', 'Medium', 'heavy', 'new-group'])],
    ['X-Rate-Limit-Limit', dice.chance(0.2) ? dice.pick(odd) : '1000000'],
    ['X-Rate-Limit-Remaining', dice.chance(0.2) ? dice.pick(['', 'banana']) : '999999'],
    ['X-Rate-Limit-Window', dice.chance(0.2) ? dice.pick(odd) : '60'],
    ['Cache-Control', 'no-store'],
    ['Set-Cookie', 'a=b; Path=/'],
    ['Content-Language', 'en-GB'],
    ['X-Odd', 'é'.normalize('NFC')],
  ];
  return dice.shuffled(all).slice(0, dice.integer(0, all.length));
}

function spelled(name: string, dice: Dice): string {
  return dice.pick([name, name.toLowerCase(), name.toUpperCase()]);
}

/** Puts a body into a reply with headers in one of the allowed spellings. */
export function dress(
  reply: { readonly status: number; readonly type?: string | undefined; readonly body: Buffer | string },
  dice: Dice,
): WireReply {
  const plain = Buffer.from(reply.body);
  const isPacked = plain.length > 0 && reply.type !== undefined && dice.chance(0.25);
  const headers: (readonly [string, string])[] = [
    ...(reply.type === undefined ? [] : [['Content-Type', reply.type] as const]),
    ...(isPacked ? [['Content-Encoding', dice.pick(['gzip', 'GZIP', 'x-gzip'])] as const] : []),
    ...further(dice),
  ];
  return {
    status: reply.status,
    headers: headers.map(([name, value]) => [spelled(name, dice), value] as const),
    body: isPacked ? gzipSync(plain) : plain,
    isChunked: dice.chance(0.5),
  };
}
