import { expect, it } from 'vitest';
import { isLoopback } from '../../src/platform/base-url.ts';

it.each(['127.0.0.1', '127.9.8.7', '[::1]', '::1', 'localhost', 'LOCALHOST'])(
  '%s is this machine',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

it.each(['localhost.example.com', '127.0.0.1.example.com', '10.0.0.1', '0x7f.1', '[::2]', '127.0.0', ''])(
  '%s is another',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
