import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { maskBodySecrets, maskSecrets } from '../../src/platform/mask-secrets.ts';
import { SentSecrets, type SentRequest } from '../../src/platform/sent-secrets.ts';

const url = new URL('https://service.example/restapi/v1.0/account/~/extension/~/sms');

/** Registers a request with one secret. */
function addSecret(sent: SentSecrets, secret: string): void {
  sent.add({ url, headers: {}, body: JSON.stringify({ password: secret }) });
}

/** Numbers from 0 up to 1, the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const alphabets = {
  token: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.',
  typed: 'abcXYZ019 !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  foreign: 'aZ9 äößéñ€漢字🙂"\\%+/',
} as const;

function secretFrom(random: () => number): string {
  const kinds = Object.values(alphabets);
  const letters = Array.from(kinds[Math.floor(random() * kinds.length)] ?? '');
  const length = 8 + Math.floor(random() * random() * 400);
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
}

const percentAll = (text: string): string => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const html: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Ways in which servers write what they were sent. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  percent: (text) => encodeURIComponent(text),
  'percent in small letters': (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
  'percent, all of it': percentAll,
  form: (text) => new URLSearchParams({ x: text }).toString().slice(2),
  json,
  'json, only ASCII': (text) =>
    json(text).replaceAll(
      /[^\u0020-\u007e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'json with slashes escaped': (text) => json(text).replaceAll('/', '\\/'),
  html: (text) => text.replaceAll(/[&<>"']/g, (letter) => html[letter] ?? letter),
  hex: (text) => Buffer.from(text).toString('hex'),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 behind one byte': (text) => Buffer.from(`a${text}z`).toString('base64'),
  'base64 behind two bytes': (text) => Buffer.from(`ab${text}`).toString('base64'),
  base64url: (text) => Buffer.from(`id:${text}!`).toString('base64url'),
  'base64 of a form': (text) =>
    Buffer.from(`a=1&${new URLSearchParams({ password: text }).toString()}`).toString('base64'),
  'base64 of json': (text) => Buffer.from(JSON.stringify({ password: text })).toString('base64'),
};
/** Another layer around, as when an error is put into JSON. */
const layers: Readonly<Record<string, (text: string) => string>> = {
  '': (text) => text,
  'in json': json,
  'in percent': (text) => encodeURIComponent(text),
  'in json in json': (text) => json(json(text)),
  'in html': (text) => text.replaceAll(/[&<>"']/g, (letter) => html[letter] ?? letter),
};

/** Servers that change the case, before or after they encode the text. */
const changes: Readonly<
  Record<string, { readonly first: (text: string) => string; readonly last: (text: string) => string }>
> = {
  '': { first: (text) => text, last: (text) => text },
  'in lower case': { first: (text) => text, last: (text) => text.toLowerCase() },
  'in upper case': { first: (text) => text, last: (text) => text.toUpperCase() },
  'from lower case': { first: (text) => text.toLowerCase(), last: (text) => text },
  'from upper case': { first: (text) => text.toUpperCase(), last: (text) => text },
};

const cases = Object.keys(writings).flatMap((writing) =>
  Object.keys(layers).flatMap((layer) =>
    Object.keys(changes).map((change) => [writing, layer, change] as const),
  ),
);

describe('a secret that was sent is masked', () => {
  it.each(cases)('%s %s %s', (writing, layer, change) => {
    const { first = String, last = String } = changes[change] ?? {};
    const seed = createHash('sha256').update(`${writing}${layer}${change}`).digest().readUInt32BE();
    const random = chance(seed);
    const sent = new SentSecrets();
    for (let count = 0; count < 12; count += 1) {
      const secret = secretFrom(random);
      addSecret(sent, secret);
      const echo = last(layers[layer]?.(writings[writing]?.(first(secret)) ?? '') ?? '');
      const text = `before ${echo} after`;
      const masked = maskSecrets(text, sent);
      const shown = /^before (.*) after$/s.exec(masked)?.[1];
      expect(shown, `${seed}: ${secret}`).toContain('***');
      // What is left are the words around it: in base64 at most some characters of them.
      expect(
        (shown ?? '').replaceAll(/\*{3}|%3D/gi, '').length,
        `${seed}: ${secret}: ${masked}`,
      ).toBeLessThanOrEqual(writing.startsWith('base64 of') ? 60 : 8);
    }
  });

  it('also if a gateway truncated it', () => {
    const sent = new SentSecrets();
    const secret = 'U0pDMTFQMDFQQVMwMHxBQUJVLXRva2VuLW9mLXRoaXMtdGVzdA';
    addSecret(sent, secret);
    expect(maskSecrets(`Bearer ${secret.slice(0, 30)}... rejected`, sent)).toBe('Bearer ***... rejected');
    expect(maskSecrets(`...${secret.slice(-30)} rejected`, sent)).toBe('...*** rejected');
    expect(maskSecrets(`...${secret.slice(-30).toLowerCase()} rejected`, sent)).toBe('...*** rejected');
  });

  it('without any other change', () => {
    const random = chance(7);
    const sent = new SentSecrets();
    for (let count = 0; count < 100; count += 1) addSecret(sent, secretFrom(random));
    for (let count = 0; count < 200; count += 1) {
      const text = `${secretFrom(random)} ${secretFrom(random)}`;
      expect(maskSecrets(text, sent)).toBe(text);
    }
    expect(maskSecrets('nothing \ud800 here %zz \\x &#99999999;', sent)).toBe(
      'nothing \ud800 here %zz \\x &#99999999;',
    );
  });
});

describe('the secrets of a request', () => {
  let sent = new SentSecrets();
  beforeEach(() => {
    sent = new SentSecrets();
  });
  const add = (request: Partial<SentRequest>): void => sent.add({ url, headers: {}, ...request });
  const form = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };

  it.each<[string, string, Partial<SentRequest>]>([
    ['bearer-token-1', 'an access token', { headers: { authorization: 'Bearer bearer-token-1' } }],
    [
      'app-secret:1',
      'the secret of an application',
      { headers: { authorization: `Basic ${Buffer.from('client:app-secret:1').toString('base64')}` } },
    ],
    ['cookie-value-1', 'a cookie', { headers: { cookie: 'cookie-value-1' } }],
    ['header-value-1', 'a header by its name', { headers: { 'x-api-key': 'header-value-1' } }],
    ['typed password', 'a password', { headers: form, body: 'username=anybody&password=typed+password' }],
    ['refresh-token-1', 'a refresh token', { headers: form, body: 'refresh_token=refresh-token-1' }],
    ['revoked-token-1', 'a token that is revoked', { headers: form, body: 'token=revoked-token-1' }],
    ['assertion.1.x', 'an assertion', { headers: form, body: 'assertion=assertion.1.x' }],
    ['auth-code-1', 'an authorization code', { headers: form, body: 'code=auth-code-1' }],
    ['form-secret-1', 'a client secret in a form', { headers: form, body: 'client_secret=form-secret-1' }],
    ['verifier-1', 'a verifier of PKCE', { headers: form, body: 'code_verifier=verifier-1' }],
    [
      'verification-1',
      'a verification token',
      { body: JSON.stringify({ deliveryMode: { verificationToken: 'verification-1' } }) },
    ],
    [
      'abcdef0123456789abcdef',
      'the address of a chat webhook',
      { url: new URL('https://hooks.example/webhook/abcdef0123456789abcdef') },
    ],
  ])('%s: %s', (secret, _, request) => {
    expect(maskSecrets(`x ${secret} y`, sent)).toBe(`x ${secret} y`);
    add(request);
    expect(maskSecrets(`x ${secret} y`, sent)).toBe('x *** y');
    expect(maskSecrets(`x ${encodeURIComponent(secret)} y`, sent)).toBe('x *** y');
  });

  it('exclude ordinary values', () => {
    add({ headers: form, body: 'grant_type=refresh_token&username=anybody&access_token_ttl=3600' });
    add({ url: new URL('https://service.example/restapi/v1.0/x?syncToken=sync-token-1&page=1000') });
    add({ body: JSON.stringify({ text: 'the token of this text', to: [{ phoneNumber: '+16505550112' }] }) });
    const text = 'refresh_token anybody 3600 sync-token-1 1000 the token of this text +16505550112';
    expect(maskSecrets(text, sent)).toBe(text);
  });

  it('a token that comes with every request is stored once', () => {
    for (let count = 0; count < 2000; count += 1) {
      add({ headers: { authorization: 'Bearer the-same-token' } });
      add({ url: new URL(`https://media.example/content/item-number-${1_000_000_000 + count}`) });
    }
    expect(maskSecrets('the-same-token', sent)).toBe('***');
  });
});

it('masks all of a password with spaces', () => {
  const sent = new SentSecrets();
  sent.addPassword('correct horse battery');
  expect(maskSecrets('password "correct horse battery"', sent)).toBe('password "***"');
});

it('masks the secrets that are still stored after each of many requests', () => {
  const sent = new SentSecrets();
  const secrets = Array.from({ length: 150 }, (_, index) => `secret-number-${1000 + index}`);
  for (const [index, secret] of secrets.entries()) {
    addSecret(sent, secret);
    // The registry stores 100 texts.
    const stored = secrets.slice(Math.max(0, index - 99), index + 1);
    for (const one of [stored[0], stored.at(-1)]) expect(maskSecrets(`x ${one} y`, sent)).toBe('x *** y');
  }
  expect(maskSecrets(`x ${secrets[49]} y`, sent)).toBe(`x ${secrets[49]} y`);
});

it('masks nothing from another registry', () => {
  addSecret(new SentSecrets(), 'secret-of-another-run');
  expect(maskSecrets('secret-of-another-run', new SentSecrets())).toBe('secret-of-another-run');
});

it('JSON stays JSON', () => {
  const sent = new SentSecrets();
  addSecret(sent, '12345678');
  addSecret(sent, 'back\\');
  expect(maskBodySecrets('{"message":"pin 12345678","n":12345678}', sent)).toBe(
    '{"message":"pin ***","n":"***"}',
  );
  expect(maskBodySecrets(JSON.stringify({ message: 'x back\\' }), sent)).toBe('{"message":"x ***"}');
  expect(maskBodySecrets('<p>12345678</p>', sent)).toBe('<p>***</p>');
});

it('masks the secret in the address of a chat webhook, but no IDs of the interface', () => {
  const sent = new SentSecrets();
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const key = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  for (const path of [
    `/restapi/v1.0/glip/webhooks/${id}`,
    `/team-messaging/v1/webhooks/${id}`,
    `/webhook/v2/${key}`,
    '/team-messaging/CanaryCanaryCanary',
  ])
    sent.add({ url: new URL(path, 'https://service.example'), headers: {} });
  expect(sent.values.toSorted()).toEqual([key, 'CanaryCanaryCanary']);
});
