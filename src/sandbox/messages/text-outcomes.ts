/** How texts to some numbers fare: the magic numbers of the sandbox (docs/service-gaps.md). */
interface TextOutcome {
  /** What a text is after it was Queued. */
  readonly sent: 'Sent' | 'SendingFailed';
  /** What follows; absent where the carrier reports nothing. */
  readonly delivered?: 'Delivered' | 'DeliveryFailed';
  readonly deliveryErrorCode?: string;
}

const outcomes: Readonly<Record<string, TextOutcome>> = {
  '+16505550190': { sent: 'SendingFailed', deliveryErrorCode: 'SMS-UP-430' },
  '+16505550191': { sent: 'Sent', delivered: 'DeliveryFailed', deliveryErrorCode: 'SMS-CAR-411' },
  '+16505550192': { sent: 'Sent' },
};

/** Delivered, unless the number is a magic one. */
export function textOutcome(phoneNumber: string | undefined): TextOutcome {
  return outcomes[phoneNumber ?? ''] ?? { sent: 'Sent', delivered: 'Delivered' };
}

/** A number whose texts are refused as too many. */
export const throttledNumber = '+16505550193';
