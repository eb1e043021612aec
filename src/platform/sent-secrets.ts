/**
 * What this process has sent that is secret. Only texts are remembered while requests go out; they are taken apart when something has to be masked,
 * which is rare.
 */

/** The parts of a request that may hold secrets. */
export interface SentRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Names of headers, form fields, JSON members and query parameters whose value is secret. */
const secretName =
  /token|secret|passw|assertion|credential|signature|cookie|auth|api-?key|encryptionkey|code_verifier/i;
/** Tokens of the interface that say how far a list was read. */
const notSecret = /^(sync|page|nextPage|previousPage|firstPage)Token$|_ttl$|^(grant_type|token_type_hint)$/;
const secretFields = new Set(['code', 'token', 'key']);
/** Larger bodies are documents and lists. */
const mostBodyCharacters = 65_536;
/** Oldest texts are forgotten beyond this; a process sends few different ones. */
const mostTexts = 100;
/** Shorter values would be found in every other text. */
const leastCharacters = 4;
/** A part of a path so long, outside of the interface's own paths, may be a credential, as in the address of a chat webhook. */
const credentialCharacters = 16;

const texts = {
  header: new Set<string>(),
  form: new Set<string>(),
  json: new Set<string>(),
  path: new Set<string>(),
  plain: new Set<string>(),
};
let known: readonly string[] | undefined;

/** Remembers what a request that goes out holds. */
export function noteRequest({ url, headers, body }: SentRequest): void {
  for (const [name, value] of Object.entries(headers)) if (secretName.test(name)) note('header', value);
  if (url.search !== '') note('form', url.search);
  if (!url.pathname.includes('/restapi/')) note('path', url.pathname);
  if (typeof body !== 'string' || body.length > mostBodyCharacters) return;
  const isForm = headers['content-type']?.includes('x-www-form-urlencoded') ?? false;
  if (isForm || secretName.test(body)) note(isForm ? 'form' : 'json', body);
}

/** Remembers a secret that goes out in another way. */
export function noteSecret(secret: string): void {
  note('plain', secret);
}

function note(kind: keyof typeof texts, text: string): void {
  const all = texts[kind];
  if (all.has(text)) return;
  if (all.size >= mostTexts) all.delete(all.values().next().value ?? '');
  all.add(text);
  known = undefined;
}

/** Forgets what went out, for a process that makes several runs one after the other. */
export function forgetSent(): void {
  for (const all of Object.values(texts)) all.clear();
  known = undefined;
}

/** Everything secret that went out so far, longest first. */
export function sentSecrets(): readonly string[] {
  known ??= [
    ...new Set([
      ...[...texts.header].flatMap(secretsOfHeader),
      ...[...texts.form].flatMap(secretsOfForm),
      ...[...texts.json].flatMap(secretsOfJson),
      ...[...texts.path].flatMap((path) =>
        path.split('/').filter((part) => part.length >= credentialCharacters),
      ),
      ...texts.plain,
    ]),
  ]
    .filter((secret) => secret.length >= leastCharacters)
    .sort((a, b) => b.length - a.length);
  return known;
}

/** The credentials of a header, and behind `Basic` the password that they hold. */
function secretsOfHeader(value: string): readonly string[] {
  const [, scheme, credentials] = /^(\w+) +(.+)$/.exec(value) ?? [];
  if (scheme === undefined || credentials === undefined) return [value];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  return [credentials, pair, pair.slice(pair.indexOf(':') + 1)];
}

function secretsOfForm(form: string): readonly string[] {
  return [...new URLSearchParams(form)].flatMap(([name, value]) => (isSecret(name) ? [value] : []));
}

function secretsOfJson(text: string): readonly string[] {
  try {
    return secretsIn(JSON.parse(text), '');
  } catch {
    return [];
  }
}

function secretsIn(value: unknown, name: string): readonly string[] {
  if (typeof value === 'string') return isSecret(name) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => secretsIn(item, Array.isArray(value) ? name : key));
}

function isSecret(name: string): boolean {
  return !notSecret.test(name) && (secretFields.has(name) || secretName.test(name));
}
