import { integer, object, oneOf, record, text, type Outputs } from '../../runtime/output-schema.ts';

const installed = record(
  object({
    folder: text,
    pages: integer,
    action: oneOf('installed', 'unchanged', 'removed', 'nothing to remove'),
  }),
);

/** What these commands write as JSON. */
export const manOutputs: Outputs = { 'man install': installed, 'man uninstall': installed };
