import { faxErrorCodes } from '../../contract/enums.ts';

const prefix = '+165055503';

/**
 * How a fax to a number fails, if it does: +16505550300 and on stand for the fax error codes in the order of the contract
 * (docs/service-gaps.md).
 */
export function faxErrorOf(phoneNumber: string): string | undefined {
  if (!phoneNumber.startsWith(prefix) || phoneNumber.length !== prefix.length + 2) return undefined;
  return faxErrorCodes[Number(phoneNumber.slice(prefix.length))];
}
