import { readableExtension } from '../access.ts';
import { accountOf, type Handler } from '../call.ts';
import { activeCalls } from '../calls/active-calls.ts';
import { toCallRecord } from '../calls/record-view.ts';
import { requireCompanyCallLog } from './call-log.ts';
import { accountPath, extensionPath } from '../uris.ts';

/** GET account/{accountId}/active-calls: administrators only. Query parameters are dropped; the Simple view is the only one. */
export const listAccountActiveCalls: Handler<'listAccountActiveCalls'> = (call) => {
  const { world } = call;
  const account = accountOf(call);
  requireCompanyCallLog(call);
  const records = activeCalls(world, account.id).map((row) => toCallRecord(world, row, 'Simple', true));
  return { json: { uri: `${world.baseUrl}${accountPath(account.id)}/active-calls`, records } };
};

/** GET .../extension/{extensionId}/active-calls. */
export const listActiveCalls: Handler<'listActiveCalls'> = (call) => {
  const { world } = call;
  const extension = readableExtension(call);
  const records = activeCalls(world, extension.accountId, extension.id).map((row) =>
    toCallRecord(world, row, 'Simple', false),
  );
  return { json: { uri: `${world.baseUrl}${extensionPath(extension)}/active-calls`, records } };
};
