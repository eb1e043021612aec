import { counted } from '../../platform/counted.ts';

/** The error for data that must not be deleted, because a legal hold retains it. Nothing is deleted. */
export class LegalHoldError extends Error {
  override readonly name = 'LegalHoldError';

  constructor(messages: number, calls: number) {
    super(
      `a legal hold retains ${counted(messages, 'message')} and ${counted(calls, 'call record')} with this number`,
    );
  }
}
