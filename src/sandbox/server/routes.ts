import type { OperationId } from '../../contract/operations.ts';
import { auditRoutes } from '../audit/routes.ts';
import { callRoutes } from '../calls/routes.ts';
import { chatRoutes } from '../chat/routes.ts';
import { dictionaryRoutes } from '../dictionary/routes.ts';
import { directoryRoutes } from '../directory/routes.ts';
import { faxRoutes } from '../fax/routes.ts';
import { hoursRoutes } from '../hours/routes.ts';
import { mediaRoutes } from '../media/routes.ts';
import { messageReportRoutes } from '../message-reports/routes.ts';
import { messageRoutes } from '../messages/routes.ts';
import { oauthRoutes } from '../oauth/routes.ts';
import { pagerRoutes } from '../pager/routes.ts';
import { presenceRoutes } from '../presence/routes.ts';
import { queueRoutes } from '../queues/routes.ts';
import type { Route } from '../request/call.ts';
import { smsBatchRoutes } from '../sms-batches/routes.ts';
import { socketRoutes } from '../sockets/routes.ts';
import { subscriptionRoutes } from '../subscriptions/routes.ts';

/** The routes of all domains. An operation of the contract that no domain serves does not compile. */
export const routes: { readonly [K in OperationId]: Route<K> } = {
  ...queueRoutes,
  ...presenceRoutes,
  ...callRoutes,
  ...messageRoutes,
  ...faxRoutes,
  ...pagerRoutes,
  ...subscriptionRoutes,
  ...socketRoutes,
  ...oauthRoutes,
  ...chatRoutes,
  ...directoryRoutes,
  ...dictionaryRoutes,
  ...mediaRoutes,
  ...auditRoutes,
  ...hoursRoutes,
  ...smsBatchRoutes,
  ...messageReportRoutes,
};
