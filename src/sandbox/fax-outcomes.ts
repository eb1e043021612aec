import { FAX_ERROR_CODES } from '../contract/enums.ts';

const PREFIX = '+165055503';

/**
 * How a fax to a number fails, if it does: +16505550300 and on stand for the fax error codes in the order of the contract
 * (docs/service-gaps.md).
 */
export function faxErrorOf(phoneNumber: string): string | undefined {
  if (!phoneNumber.startsWith(PREFIX) || phoneNumber.length !== PREFIX.length + 2) return undefined;
  return FAX_ERROR_CODES[Number(phoneNumber.slice(PREFIX.length))];
}
