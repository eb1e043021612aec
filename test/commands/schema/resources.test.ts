import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { resourceSchemas } from '../../../scripts/documents/resource-schemas.ts';
import { resourceMembers } from '../../../src/runtime/resources.ts';

const schemas = resourceSchemas();
const names = Object.keys(resourceMembers) as (keyof typeof resourceMembers)[];

it.each(names)('the members of %s are those of the contract', (name) => {
  const { properties } = schemas[name] as { readonly properties: object };
  expect(new Set<string>(resourceMembers[name])).toEqual(new Set(Object.keys(properties)));
});

it('the build writes the resources of the contract for ucctl schema', () => {
  const built: unknown = JSON.parse(readFileSync('dist/schema/resources.json', 'utf8'));
  expect(built).toEqual(schemas);
});
