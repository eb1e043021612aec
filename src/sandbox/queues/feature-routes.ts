import { readableExtension } from '../request/access.ts';
import type { Handler } from '../request/call.ts';

/** Serves GET .../extension/{extensionId}/features: the features that ucctl requests. */
export const readExtensionFeatures: Handler<'readExtensionFeatures'> = (call) => {
  readableExtension(call);
  const { featureId, availableOnly } = call.query;
  const available = call.world.settings.newCallHandling;
  const features = [
    {
      id: 'NewCallHandlingAndForwarding',
      available,
      ...(!available && {
        reason: { code: 'AccountLimitation', message: 'The feature is not available for this account' },
      }),
    },
  ];
  const records = features.filter(
    ({ id }) => (featureId === undefined || featureId.includes(id)) && (!availableOnly || available),
  );
  return { json: { records } };
};
