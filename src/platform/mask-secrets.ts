import { isJsonObject, parseJson, stringifyJson } from './json.ts';
import type { SentSecrets } from './sent-secrets.ts';
import { decodings, type View } from './text-decodings.ts';
import { fold, TextSearch } from './text-search.ts';

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

/** One spelling of a secret, as bytes, converted by `fold`. */
interface Needle {
  readonly text: Uint8Array;
  /** Whether the character before or after the needle holds some bits of the secret, as in base64 at another offset. */
  readonly before: boolean;
  readonly after: boolean;
}

interface Search {
  readonly secrets: readonly string[];
  readonly needles: ReadonlyMap<string, readonly Needle[]>;
  readonly texts: TextSearch<Needle>;
}

/** The search of each registry, which is extended when a request adds secrets to the registry. */
const cache = new WeakMap<SentSecrets, Search>();

/**
 * Masks the secrets of `sent` in a text of a server. Finds secrets that are unchanged, percent-encoded, form-encoded,
 * in JSON, in HTML, in base64 or base64url at any offset, and in hexadecimal; each of them also in upper case and in
 * lower case, because servers repeat texts as names of headers and hosts.
 */
export function maskSecrets(text: string, sent: SentSecrets): string {
  const secrets = sent.values;
  if (secrets.length === 0 || text === '') return text;
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const ranges: [number, number][] = [];
  const texts = searchOf(sent);
  for (const view of decodings(bytes))
    for (const { value, start, end } of texts.matches(fold(view.text)))
      addRange(view, value, start, end, ranges);
  if (ranges.length === 0) return text;
  return Buffer.from(without(bytes, ranges), 'latin1').toString('utf8');
}

/** Returns a copy of headers with the secrets masked in names and values. Names arrive in lower case. */
export function maskHeaderSecrets(
  headers: Readonly<Record<string, string>>,
  sent: SentSecrets,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [maskSecrets(name, sent), maskSecrets(value, sent)]),
  );
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

/**
 * Returns the search for all secrets of a registry. The needles of each secret are computed and added once. Only a
 * registry that dropped a secret gets a new search, because a search cannot remove texts.
 */
function searchOf(sent: SentSecrets): TextSearch<Needle> {
  const secrets = sent.values;
  const before = cache.get(sent);
  if (before?.secrets === secrets) return before.texts;
  const needles = new Map(
    secrets.map((secret) => [secret, before?.needles.get(secret) ?? needlesFor(secret)]),
  );
  const isExtended =
    before !== undefined && [...before.needles.keys()].every((secret) => needles.has(secret));
  const texts = isExtended ? before.texts : new TextSearch<Needle>();
  for (const [secret, added] of needles) {
    if (isExtended && before.needles.has(secret)) continue;
    for (const needle of added) {
      const { length } = needle.text;
      texts.add(needle.text, length >= partCharacters ? edgeCharacters : length, needle);
    }
  }
  cache.set(sent, { secrets, needles, texts });
  return texts;
}

function needlesFor(secret: string): readonly Needle[] {
  const all = new Map<string, Needle>();
  for (const form of new Set([secret, secret.toLowerCase(), secret.toUpperCase()])) {
    const hex = Buffer.from(form).toString('hex');
    const plain = [latin1(form), hex].map((text) => ({ text: fold(text), before: false, after: false }));
    for (const needle of [...plain, ...[...formsOf(form)].flatMap(base64Of)]) {
      const key = Buffer.from(needle.text).toString('latin1');
      if (needle.text.length >= leastCharacters && !all.has(key)) all.set(key, needle);
    }
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
      text: fold(text.slice(Math.ceil(first), Math.floor(last))),
      before: !Number.isInteger(first),
      after: !Number.isInteger(last),
    };
  });
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
