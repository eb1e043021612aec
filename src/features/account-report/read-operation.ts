import type { RateGroup } from '../../contract/enums.ts';
import type { DialectName } from '../../contract/dialects.ts';

/** A read of the contract in `read-operations.json`, which `scripts/documents` generates. */
export interface ReadOperation {
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** The path in dialect `current`, if it differs. */
  readonly currentPath?: string;
  /** The dialects that have the operation; absent for both. */
  readonly dialects?: readonly DialectName[];
  readonly group?: RateGroup;
  /**
   * The members of the reply as `path:types`, separated by spaces. A path has `.` between members, `[]` after a list,
   * and `?` at its end if the member is optional.
   */
  readonly members: string;
}
