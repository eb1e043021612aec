import { isJsonObject, parseJson, stringifyJson } from './json.ts';
import { sentSecrets } from './sent-secrets.ts';
import { decodings, type View } from './text-decodings.ts';

/** What stands in place of a secret. */
const mask = '***';
/** From this length on, the beginning or the end of a secret is masked, too: texts of gateways are often cut. */
const partCharacters = 24;
const edgeCharacters = 16;
/** Shorter forms would be found in every other text. */
const leastCharacters = 4;

/** One form in which a secret may be written, as bytes. */
interface Needle {
  readonly text: string;
  /** The characters before and after it hold bits of the secret, as in base64 that does not begin with it. */
  readonly before: boolean;
  readonly after: boolean;
}

let made:
  | { readonly secrets: readonly string[]; readonly needles: ReadonlyMap<string, readonly Needle[]> }
  | undefined;

/**
 * A text of a server without any secret that this process has sent, however it is written: as it is, percent-encoded, as a form, as JSON, as HTML, in
 * base64 or base64url at any offset, or in hexadecimal.
 */
export function maskSecrets(text: string): string {
  const secrets = sentSecrets();
  if (secrets.length === 0 || text === '') return text;
  if (made?.secrets !== secrets) made = { secrets, needles: needlesOf(secrets) };
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const ranges: [number, number][] = [];
  const needles = [...made.needles.values()].flat();
  for (const view of decodings(bytes)) collectRanges(view, needles, ranges);
  if (ranges.length === 0) return text;
  return Buffer.from(without(bytes, ranges), 'latin1').toString('utf8');
}

/** The same for a whole body, which stays JSON where it was. */
export function maskBodySecrets(body: string): string {
  const masked = maskSecrets(body);
  if (masked === body || !isJson(body) || isJson(masked)) return masked;
  return stringifyJson(maskValue(parseJson(body)));
}

/** A copy of a value, with every text in it masked. */
export function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) return value.map(maskValue);
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [maskSecrets(key), maskValue(item)]),
    );
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  return maskSecrets(String(value)) === String(value) ? value : mask;
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

/** Needles of all secrets; those of a secret that was known before are kept. */
function needlesOf(secrets: readonly string[]): ReadonlyMap<string, readonly Needle[]> {
  return new Map(secrets.map((secret) => [secret, made?.needles.get(secret) ?? needlesFor(secret)]));
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

/** The ways in which a secret is written before it is packed into base64. */
function formsOf(secret: string): ReadonlySet<string> {
  return new Set([
    secret,
    encodeURIComponent(Buffer.from(secret, 'utf8').toString('utf8')),
    new URLSearchParams({ x: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
  ]);
}

/** The characters of base64 that depend on the secret alone, for each of the three ways in which bytes fall into groups. */
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

/** Spaces of forms, and the two alphabets of base64, are one. Never changes a length. */
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
    // What touches the one before is the same secret, or another behind it.
    if (start > at || at === 0) masked += bytes.slice(at, start) + mask;
    at = end;
  }
  return masked + bytes.slice(at);
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
