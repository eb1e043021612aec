import { expect, it } from 'vitest';
import { maskUserInfo, maskUserInfoIn } from '../../src/platform/user-info.ts';

it.each([
  ['https://ada:pw@host.example/x', 'https://***@host.example/x'],
  ['https://ada@host.example', 'https://***@host.example'],
  ['https://ada:p/w@1@host.example:port', 'https://***@host.example:port'],
  ['https:\\\\ada:pw@host.example', 'https:\\\\***@host.example'],
  ['//ada:pw@host.example', '//***@host.example'],
  ['ada:pw@host.example', '***@host.example'],
  ['ada:p\nw@host.example', '***@host.example'],
  ['ada:abcdefg==@proxy.example:1', '***@proxy.example:1'],
  ['messages=ada:pw@host.example', '***@host.example'],
  ['messages=https://ada:pw@host.example', 'messages=https://***@host.example'],
  ['presence:sip=ftp://ada:pw@host.example', 'presence:sip=ftp://***@host.example'],
  ['https://host.example/x', 'https://host.example/x'],
  ['', ''],
])('masks user and password in %j, which need not be a valid URL', (text, masked) => {
  expect(maskUserInfo(text)).toBe(masked);
});

it.each([
  ['messages=https://ada:p@w@host.example/@x', 'messages=https://***@host.example/@x'],
  ['exec:curl nats://ada:pw@a; curl https://b:pw@c', 'exec:curl nats://***@a; curl https://***@c'],
  [
    'exec:curl https://host.example/webhook/v2/0a1b2c3d-0000-4000-8000-00000000000f -d x',
    'exec:curl https://host.example/webhook/v2/0a1b*** -d x',
  ],
  [
    'https://host.example/webhook/0A1B2C3D-0000-4000-8000-00000000000f',
    'https://host.example/webhook/0A1B***',
  ],
  ['mail ada@host.example', 'mail ada@host.example'],
  ['https://host.example/@x', 'https://host.example/@x'],
])('masks user, password and the key of a chat webhook of each URL in %j', (text, masked) => {
  expect(maskUserInfoIn(text)).toBe(masked);
});
