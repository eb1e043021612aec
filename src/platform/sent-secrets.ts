import { isInterfacePath } from './request-path.ts';

type TextKind = 'header' | 'form' | 'json' | 'path' | 'password';

/** The parts of a request that may hold secrets. */
export interface SentRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Names of headers, form fields, JSON members and query parameters with a secret value. */
const secretName =
  /token|secret|passw|assertion|credential|signature|cookie|auth|api-?key|encryptionkey|code_verifier/i;
/** Paging tokens, sync tokens and OAuth constants. Their names match `secretName`, but their values are not secret. */
const notSecret = /^(sync|page|nextPage|previousPage|firstPage)Token$|_ttl$|^(grant_type|token_type_hint)$/;
const secretFields = new Set(['code', 'token', 'key']);
/**
 * Maximum size of a body that is searched for secrets. Larger bodies are documents and lists, which contain no
 * credentials.
 */
const mostBodyCharacters = 65_536;
/** Maximum number of stored texts of each kind; the oldest is dropped first. A run sends few different texts. */
const mostTexts = 100;
/** Minimum length of a secret. Shorter values occur in most texts by chance. */
const leastCharacters = 4;
/**
 * Minimum length of a path segment outside the interface that counts as a credential, as in the address of a chat
 * webhook.
 */
const credentialCharacters = 16;

/**
 * The secrets that one run sends. Adding a request only stores its texts; they are parsed when something is
 * masked, which is rare.
 */
export class SentSecrets {
  readonly #texts: Readonly<Record<TextKind, Set<string>>> = {
    header: new Set<string>(),
    form: new Set<string>(),
    json: new Set<string>(),
    path: new Set<string>(),
    password: new Set<string>(),
  };
  #values: readonly string[] | undefined;

  /** Adds the secrets of a request before it goes out. */
  add({ url, headers, body }: SentRequest): void {
    for (const [name, value] of Object.entries(headers))
      if (secretName.test(name)) this.#store('header', value);
    if (url.search !== '') this.#store('form', url.search);
    if (!isInterfacePath(url.pathname) && !isSigned(headers)) this.#store('path', url.pathname);
    if (typeof body !== 'string' || body.length > mostBodyCharacters) return;
    const isForm = headers['content-type']?.includes('x-www-form-urlencoded') ?? false;
    if (isForm || secretName.test(body)) this.#store(isForm ? 'form' : 'json', body);
  }

  /** Adds a password or token of a server that is not reached by HTTP. */
  addPassword(password: string): void {
    this.#store('password', password);
  }

  /** All secrets so far, longest first. The same array is returned until a request adds another text. */
  get values(): readonly string[] {
    const { header, form, json, path, password } = this.#texts;
    this.#values ??= [
      ...new Set([
        ...[...header].flatMap(secretsOfHeader),
        ...[...form].flatMap(secretsOfForm),
        ...[...json].flatMap(secretsOfJson),
        ...[...path].flatMap((text) => text.split('/').filter((part) => part.length >= credentialCharacters)),
        ...password,
      ]),
    ]
      .filter((secret) => secret.length >= leastCharacters)
      .sort((a, b) => b.length - a.length);
    return this.#values;
  }

  #store(kind: TextKind, text: string): void {
    const all = this.#texts[kind];
    if (all.has(text)) return;
    if (all.size >= mostTexts) all.delete(all.values().next().value ?? '');
    all.add(text);
    this.#values = undefined;
  }
}

/** Whether a request is signed as for S3, so that its path has no credential. */
function isSigned(headers: SentRequest['headers']): boolean {
  return headers['authorization']?.startsWith('AWS4-HMAC-SHA256 ') ?? false;
}

/** Returns the credentials in a header value. For `Basic` they include the password. */
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
