import {
  anything,
  array,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  record,
  text,
  time,
} from '../../runtime/output-schema.ts';

/** The plan as a document, which the command `apply` of the same noun reads. */
export const resourcePlanOutput = record(() =>
  object({
    kind: text,
    version: integer,
    of: text,
    created: time,
    baseUrl: text,
    summary: object({ create: integer, update: integer, unchanged: integer }),
    changes: array(
      object({
        id: nullable(text),
        key: text,
        title: text,
        action: oneOf('create', 'update'),
        before: anything,
        after: anything,
        /** Indexes of the rows of the input. */
        rows: optional(array(integer)),
      }),
    ),
    total: integer,
    problems: array(text),
    limits: object({
      maxChanges: nullable(object({ given: text, atLeast: integer })),
      protectedIds: array(text),
    }),
    guards: array(anything),
    input: optional(anything),
  }),
);
