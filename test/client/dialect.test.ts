import { expect, test } from 'vitest';
import { specDialect, spell } from '../../src/client/dialect.ts';
import { dialects } from '../../src/contract/dialects.ts';

const extension = '/restapi/v1.0/account/~/extension/~';

test.each([
  [`${extension}/ringout`, `${extension}/ring-out`],
  [`${extension}/ringout/17`, `${extension}/ring-out/17`],
  ['/restapi/v1.0/chat/groups/1/webhooks', '/team-messaging/v1/groups/1/webhooks'],
  [`${extension}/message-store`, `${extension}/message-store`],
  [`${extension}/ringouts`, `${extension}/ringouts`],
])('%s reads %s in the current dialect, and itself in that of the specification', (path, current) => {
  expect(spell(dialects.current, path)).toBe(current);
  expect(spell(specDialect, path)).toBe(path);
});
