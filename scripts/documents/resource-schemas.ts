import { z } from 'zod';
import {
  AuditRecord,
  CallLogRecord,
  Extension,
  ForwardingNumber,
  Message,
  PhoneNumber,
  Presence,
  Subscription,
} from '../../src/contract/index.ts';
import type { Schema } from '../../src/runtime/output-schema.ts';
import type { ResourceName } from '../../src/runtime/resources.ts';

const resources: Readonly<Record<ResourceName, z.ZodType>> = {
  AuditRecord,
  CallLogRecord,
  Extension,
  ForwardingNumber,
  Message,
  PhoneNumber,
  Presence,
  Subscription,
};

/**
 * The resources that `ucctl schema` refers to, as JSON Schema. The build writes them to a file, because commands may
 * not load the contract.
 */
export function resourceSchemas(): Readonly<Record<ResourceName, Schema>> {
  const all = Object.entries(resources).map(([name, schema]) => [name, opened(schema)]);
  return Object.fromEntries(all) as Readonly<Record<ResourceName, Schema>>;
}

/** Schema of a resource of the contract. It is open, because the service may add members and values. */
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
