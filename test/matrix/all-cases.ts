import * as calls from './cases/calls.ts';
import * as live from './cases/live.ts';
import * as messages from './cases/messages.ts';
import * as phones from './cases/phones.ts';
import * as setup from './cases/setup.ts';
import { fleet } from './cases/fleet.ts';
import { store } from './cases/store.ts';
import type { NounCases } from './cases.ts';

/** The cases of every noun, split by the test files that run them in parallel. */
export const phoneCases: Readonly<Record<string, NounCases>> = {
  queue: phones.queue,
  agent: phones.agent,
  account: phones.account,
  audit: phones.audit,
  hours: phones.hours,
  rule: phones.rule,
  presence: phones.presence,
  ringout: calls.ringout,
  calllog: calls.callLog,
  download: calls.download,
};
export const messageCases: Readonly<Record<string, NounCases>> = {
  sms: messages.sms,
  pager: messages.pager,
  fax: messages.faxes,
  message: messages.message,
  voicemail: messages.voicemails,
  outcome: messages.outcome,
  sync: messages.sync,
};
export const liveCases: Readonly<Record<string, NounCases>> = {
  subscribe: live.subscribe,
  webhook: live.webhook,
  events: live.events,
};
/** Cases that start programs. */
export const sandboxCases: Readonly<Record<string, NounCases>> = { sandbox: setup.sandbox };
export const setupCases: Readonly<Record<string, NounCases>> = {
  login: setup.login,
  logout: setup.logout,
  status: setup.status,
  api: setup.api,
  doctor: setup.doctor,
  profile: setup.profile,
  config: setup.config,
  policy: setup.policy,
  schema: setup.schema,
  history: setup.history,
  init: setup.init,
  completion: setup.completion,
  man: setup.man,
  mcp: setup.mcp,
  console: setup.consolePage,
  skill: setup.skill,
  version: setup.version,
};

/** Cases that need a PostgreSQL server. */
export const postgresCases: Readonly<Record<string, NounCases>> = { store, fleet };

/** The cases of the whole registry. */
export const allCases: Readonly<Record<string, NounCases>> = {
  ...phoneCases,
  ...messageCases,
  ...liveCases,
  ...setupCases,
  ...sandboxCases,
  ...postgresCases,
};
