import { readableExtension } from '../request/access.ts';
import { accountOf, type Handler } from '../request/call.ts';
import { listReply, pageOf } from '../request/paging.ts';
import { addressOf, extensionPath } from '../request/uris.ts';

/** Serves GET .../phone-number: the extension's own numbers and the numbers of the company. */
export const listPhoneNumbers: Handler<'listPhoneNumbers'> = (call) => {
  const { world } = call;
  const extension = readableExtension(call);
  const isOperator = accountOf(call).operatorId === extension.id;
  const page = pageOf(call.query);
  const slice = world.numbers.list(extension.id, extension.accountId, page.window);
  const path = `${extensionPath(extension)}/phone-number`;
  const json = listReply({ world, path, page }, slice, (row) => {
    const features = JSON.parse(row.features) as string[];
    // Only the operator may send texts from a company number (SMS-5), so for all other users, company
    // numbers do not have the feature SmsSender.
    const usable = row.extensionId !== null || isOperator;
    return {
      id: row.id,
      uri: addressOf(world, `${path}/${row.id}`),
      phoneNumber: row.phoneNumber,
      ...(row.label !== null && { label: row.label }),
      paymentType: row.paymentType,
      type: row.type,
      usageType: row.usageType,
      features: usable ? features : features.filter((feature) => feature !== 'SmsSender'),
      status: 'Normal',
      country: {
        uri: addressOf(world, '/restapi/v1.0/dictionary/country/1'),
        id: '1',
        name: 'United States',
      },
    };
  });
  return { json };
};

/** Serves GET .../forwarding-number. */
export const listForwardingNumbers: Handler<'listForwardingNumbers'> = (call) => {
  const { world } = call;
  const extension = readableExtension(call);
  const page = pageOf(call.query);
  const path = `${extensionPath(extension)}/forwarding-number`;
  const slice = world.numbers.forwarding(extension.id, page.window);
  const json = listReply({ world, path, page }, slice, (row) => ({
    id: String(row.id),
    uri: addressOf(world, `${path}/${row.id}`),
    phoneNumber: row.phoneNumber,
    label: row.label,
    features: JSON.parse(row.features) as string[],
    ...(row.flipNumber !== null && { flipNumber: row.flipNumber }),
    type: row.type,
  }));
  return { json };
};
