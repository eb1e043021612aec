import type {
  AnsweringRule,
  AnsweringRuleRequest,
  AnsweringRuleUpdate,
} from '../../contract/answering-rule.ts';
import type { Id } from '../../contract/common.ts';
import type { ruleTypes } from '../../contract/enums.ts';
import type { RequestOptions } from '../call.ts';
import { pages, type PageOptions } from '../paging.ts';
import { path } from '../path.ts';
import { answeringRuleShape } from '../shapes/hours.ts';
import { pageOf, nothing } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

const allTypes: typeof ruleTypes = ['BusinessHours', 'AfterHours', 'Custom'];

/** Rules that decide how calls to an extension are answered: docs/spec/hours.md. Only dialect `current` has them. */
export class AnsweringRules {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * GET /account/~/extension/{id}/answering-rule, all pages and types; `Detailed` includes the settings of each rule.
   */
  list(
    extensionId: Id,
    view: 'Simple' | 'Detailed' = 'Simple',
    options?: PageOptions,
  ): AsyncGenerator<AnsweringRule, void, undefined> {
    return pages(
      this.#transport,
      {
        method: 'GET',
        path: listPath(extensionId),
        // By default, the service returns only custom rules (RULE-1).
        query: { type: allTypes, view },
        reply: pageOf(answeringRuleShape),
      },
      options,
    );
  }

  /** GET .../answering-rule/{ruleId} */
  async get(extensionId: Id, ruleId: string, options?: RequestOptions): Promise<AnsweringRule> {
    const call = { method: 'GET', path: rulePath(extensionId, ruleId), reply: answeringRuleShape } as const;
    return this.#transport.send(call, options);
  }

  /** POST .../answering-rule. Not retried automatically, because a second request would create a second rule. */
  async create(
    extensionId: Id,
    body: AnsweringRuleRequest,
    options?: RequestOptions,
  ): Promise<AnsweringRule> {
    const call = { method: 'POST', path: listPath(extensionId), body, reply: answeringRuleShape } as const;
    return this.#transport.send(call, options);
  }

  /** PUT .../answering-rule/{ruleId}: changes only the members in the request. */
  async update(
    extensionId: Id,
    ruleId: string,
    body: AnsweringRuleUpdate,
    options?: RequestOptions,
  ): Promise<AnsweringRule> {
    const call = {
      method: 'PUT',
      path: rulePath(extensionId, ruleId),
      body,
      reply: answeringRuleShape,
    } as const;
    return this.#transport.send(call, options);
  }

  /** DELETE .../answering-rule/{ruleId} */
  async delete(extensionId: Id, ruleId: string, options?: RequestOptions): Promise<void> {
    const call = { method: 'DELETE', path: rulePath(extensionId, ruleId), reply: nothing } as const;
    return this.#transport.send(call, options);
  }
}

function listPath(extensionId: Id): string {
  return path`/restapi/v1.0/account/~/extension/${extensionId}/answering-rule`;
}

function rulePath(extensionId: Id, ruleId: string): string {
  return path`/restapi/v1.0/account/~/extension/${extensionId}/answering-rule/${ruleId}`;
}
