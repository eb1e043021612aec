import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  CallLogRecord,
  Extension,
  ForwardingNumber,
  Message,
  PhoneNumber,
  Presence,
  Subscription,
} from '../../../src/contract/index.ts';

const resources = {
  CallLogRecord,
  Extension,
  ForwardingNumber,
  Message,
  PhoneNumber,
  Presence,
  Subscription,
};

/** The contract's replies as JSON Schema: open, because the service may add members and values. */
function opened(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      if (jsonSchema.type !== 'string' || !jsonSchema.enum) return;
      jsonSchema.examples = jsonSchema.enum;
      delete jsonSchema.enum;
    },
  });
  return rest;
}

// Commands may not load the contract, so its schemas are written down beside them; `npx vitest run -u` of this file renews them.
it('the resources that ucctl schema refers to are those of the contract', async () => {
  const all = Object.fromEntries(Object.entries(resources).map(([name, schema]) => [name, opened(schema)]));
  const text = `${JSON.stringify(all, undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../src/commands/schema/resources.json');
});
