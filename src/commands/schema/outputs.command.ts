import {
  anyOf,
  anything,
  array,
  flag,
  object,
  oneOf,
  optional,
  type Outputs,
  record,
  text,
} from '../../runtime/output-schema.ts';

const line = {
  command: text,
  summary: text,
  mutates: flag,
  gives: oneOf('document', 'lines', 'nothing'),
};

/** What these commands write as JSON. */
export const schemaOutputs: Outputs = {
  schema: record(
    anyOf(
      object({ ...line, input: anything, output: anything, dryRun: optional(anything), errors: anything }),
      array(object(line)),
    ),
  ),
};
