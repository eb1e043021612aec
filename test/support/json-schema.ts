import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** A validator for JSON Schema 2020-12 that knows the formats and reports all errors. */
export function schemaValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats['default'](ajv);
  return ajv;
}
