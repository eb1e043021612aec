import { ServiceError } from './errors.ts';

/** Stands in for a handler that is still to be written. */
export function unserved(): never {
  throw new ServiceError(501, 'CMN-202', 'This operation is not supported yet');
}
