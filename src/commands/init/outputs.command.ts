import { list, resource, type Outputs } from '../../runtime/output-schema.ts';

/** What this command writes as JSON: the output of `queue list`. */
export const initOutputs: Outputs = { init: list(resource('Extension')) };
