import { faxErrorCodes } from '../../contract/enums.ts';

const prefix = '+165055503';

/**
 * Returns the error code of a fax to a number: +16505550300 and the following numbers map to the fax error codes in the
 * order of the contract (docs/internals/service-gaps.md).
 */
export function faxErrorOf(phoneNumber: string): string | undefined {
  if (!phoneNumber.startsWith(prefix) || phoneNumber.length !== prefix.length + 2) return undefined;
  return faxErrorCodes[Number(phoneNumber.slice(prefix.length))];
}
