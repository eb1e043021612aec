import { expect, it } from 'vitest';
import { fileFailureReason } from '../../src/platform/file-failure.ts';
import { readBounded } from '../../src/platform/read-bounded.ts';

it('stops reading a source without an end, and closes it', async () => {
  let isClosed = false;
  const endless = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) yield new Uint8Array(1000);
    } finally {
      isClosed = true;
    }
  };
  const error: unknown = await readBounded(endless(), 5000).catch((reason: unknown) => reason);
  expect([fileFailureReason(error), isClosed]).toEqual(['the content is larger than 512 MB', true]);
});

it('reads content up to the limit', async () => {
  const pieces = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from('one ');
    yield Buffer.from('two');
  };
  expect((await readBounded(pieces(), 7)).toString()).toBe('one two');
});
