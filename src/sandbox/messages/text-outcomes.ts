import { lookupTable } from '../../platform/lookup-table.ts';

/** The outcome of texts to the magic numbers of the sandbox (docs/internals/service-gaps.md). */
interface TextOutcome {
  /** The status that follows Queued. */
  readonly sent: 'Sent' | 'SendingFailed';
  /** The status that follows Sent; absent for a carrier without delivery reports. */
  readonly delivered?: 'Delivered' | 'DeliveryFailed';
  readonly deliveryErrorCode?: string;
}

const outcomes: Readonly<Record<string, TextOutcome>> = lookupTable({
  '+16505550190': { sent: 'SendingFailed', deliveryErrorCode: 'SMS-UP-430' },
  '+16505550191': { sent: 'Sent', delivered: 'DeliveryFailed', deliveryErrorCode: 'SMS-CAR-411' },
  '+16505550192': { sent: 'Sent' },
});

/** Returns the outcome for a number: Delivered, unless the number is a magic number. */
export function textOutcome(phoneNumber: string | undefined): TextOutcome {
  return outcomes[phoneNumber ?? ''] ?? { sent: 'Sent', delivered: 'Delivered' };
}

/** The number for which a text is rejected because too many texts were sent. */
export const throttledNumber = '+16505550193';
