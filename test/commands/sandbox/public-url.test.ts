import { describe, expect, test } from 'vitest';
import { runUcctl } from '../../support/run-ucctl.ts';

describe('sandbox start --public-url', () => {
  test.each(['foo', 'sandbox:8080', 'ftp://a', 'http://a/b', 'http://a?b', 'http://user@a'])(
    'rejects %s with exit 2 and names the flag',
    async (url) => {
      const result = await runUcctl(['sandbox', 'start', '--public-url', url]);
      expect(result).toMatchObject({ exit: 2, stdout: '' });
      expect(result.stderr).toContain(
        `--public-url: "${url}" is not an http or https address without a path`,
      );
    },
  );
});
