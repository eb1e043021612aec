import { isJsonObject, parseJson, stringifyJson } from './json.ts';
import type { SentSecrets } from './sent-secrets.ts';
import { decodings, type View } from './text-decodings.ts';

/** Text that replaces a secret. */
const mask = '***';
/**
 * Minimum length of a secret whose beginning or end is also masked if the rest is missing, because gateways often
 * truncate texts.
 */
const partCharacters = 24;
const edgeCharacters = 16;
/** Minimum length of a masked form. Shorter forms occur in most texts by chance. */
const leastCharacters = 4;

/** One spelling of a secret, as bytes. */
interface Needle {
  readonly text: string;
  /** Whether the character before or after the needle holds some bits of the secret, as in base64 at another offset. */
  readonly before: boolean;
  readonly after: boolean;
}

/** The needles of each registry. They are computed again when the secrets of the registry change. */
const cache = new WeakMap<
  SentSecrets,
  { readonly secrets: readonly string[]; readonly needles: ReadonlyMap<string, readonly Needle[]> }
>();

/**
 * Masks the secrets of `sent` in a text of a server. Finds secrets that are unchanged, percent-encoded, form-encoded,
 * in JSON, in HTML, in base64 or base64url at any offset, and in hexadecimal.
 */
export function maskSecrets(text: string, sent: SentSecrets): string {
  const secrets = sent.values;
  if (secrets.length === 0 || text === '') return text;
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const ranges: [number, number][] = [];
  const needles = needlesOf(sent);
  for (const view of decodings(bytes)) collectRanges(view, needles, ranges);
  if (ranges.length === 0) return text;
  return Buffer.from(without(bytes, ranges), 'latin1').toString('utf8');
}

/** Masks a whole body. A JSON body stays valid JSON. */
export function maskBodySecrets(body: string, sent: SentSecrets): string {
  const masked = maskSecrets(body, sent);
  if (masked === body || !isJson(body) || isJson(masked)) return masked;
  return stringifyJson(maskValue(parseJson(body), sent));
}

/** Returns a copy of a JSON value with the secrets masked in each of its strings, numbers and member names. */
export function maskValue(value: unknown, sent: SentSecrets): unknown {
  if (typeof value === 'string') return maskSecrets(value, sent);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, sent));
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [maskSecrets(key, sent), maskValue(item, sent)]),
    );
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  return maskSecrets(String(value), sent) === String(value) ? value : mask;
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the needles of all secrets of a registry. The needles of each secret are computed once. */
function needlesOf(sent: SentSecrets): readonly Needle[] {
  const secrets = sent.values;
  let entry = cache.get(sent);
  if (entry?.secrets !== secrets) {
    const before = entry?.needles;
    const needles = new Map(secrets.map((secret) => [secret, before?.get(secret) ?? needlesFor(secret)]));
    entry = { secrets, needles };
    cache.set(sent, entry);
  }
  return [...entry.needles.values()].flat();
}

function needlesFor(secret: string): readonly Needle[] {
  const hex = Buffer.from(secret).toString('hex');
  const plain = [latin1(secret), hex, hex.toUpperCase()].map((text) => ({
    text,
    before: false,
    after: false,
  }));
  const packed = [...formsOf(secret)].flatMap(base64Of);
  const all = new Map<string, Needle>();
  for (const needle of [...plain, ...packed]) {
    const text = canonical(needle.text);
    if (text.length >= leastCharacters && !all.has(text)) all.set(text, { ...needle, text });
  }
  return [...all.values()];
}

/** Returns the encodings of a secret to which base64 may have been applied. */
function formsOf(secret: string): ReadonlySet<string> {
  return new Set([
    secret,
    encodeURIComponent(Buffer.from(secret, 'utf8').toString('utf8')),
    new URLSearchParams({ x: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
  ]);
}

/** Returns the base64 characters that depend only on the secret, for each of the three offsets in a group of bytes. */
function base64Of(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const [first, last] = [(8 * offset) / 6, (8 * (offset + bytes.length)) / 6];
    return {
      text: text.slice(Math.ceil(first), Math.floor(last)),
      before: !Number.isInteger(first),
      after: !Number.isInteger(last),
    };
  });
}

/**
 * Converts `+` and `-` to a space and `_` to `/`, so that one search finds a secret in form encoding and in both
 * base64 alphabets. The length does not change, so positions are valid in the original text.
 */
function canonical(text: string): string {
  return text.replaceAll(/[+-]/g, ' ').replaceAll('_', '/');
}

function collectRanges(view: View, needles: readonly Needle[], ranges: [number, number][]): void {
  const hay = canonical(view.text);
  for (const needle of needles) {
    const { text } = needle;
    const isLong = text.length >= partCharacters;
    const head = isLong ? text.slice(0, edgeCharacters) : text;
    for (let at = hay.indexOf(head); at >= 0; at = hay.indexOf(head, at + 1)) {
      let end = head.length;
      while (end < text.length && hay[at + end] === text[end]) end += 1;
      addRange(view, needle, at, at + end, ranges);
    }
    if (!isLong) continue;
    const tail = text.slice(-edgeCharacters);
    for (let at = hay.indexOf(tail); at >= 0; at = hay.indexOf(tail, at + 1)) {
      let start = 0;
      while (start < text.length - tail.length && hay[at - start - 1] === text.at(-tail.length - start - 1))
        start += 1;
      addRange(view, needle, at - start, at + tail.length, ranges);
    }
  }
}

function addRange(view: View, needle: Needle, start: number, end: number, ranges: [number, number][]): void {
  const from = needle.before ? Math.max(0, start - 1) : start;
  const to = needle.after ? Math.min(view.text.length, end + 1) : end;
  ranges.push([view.at(from), view.at(to)]);
}

function without(bytes: string, ranges: [number, number][]): string {
  let masked = '';
  let at = 0;
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    if (end <= at) continue;
    // A range that touches the previous range shares its mask.
    if (start > at || at === 0) masked += bytes.slice(at, start) + mask;
    at = end;
  }
  return masked + bytes.slice(at);
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
