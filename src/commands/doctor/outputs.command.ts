import { list, object, oneOf, optional, text, type Outputs } from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const doctorOutputs: Outputs = {
  doctor: list(
    object({ check: text, result: oneOf('ok', 'warn', 'fail'), found: text, todo: optional(text) }),
  ),
};
