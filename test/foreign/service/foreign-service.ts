import { answers } from './answers.ts';
import { done, rejection, type Content, type ForeignRequest } from './content.ts';
import { Dice } from '../../support/dice.ts';
import { elsewhere, type Disallowed } from './disallowed.ts';
import { free, type Setting, type Variation } from './make.ts';
import { routeOf, type OperationName } from './operations.ts';
import type { Members } from './shape.ts';
import type { WireReply } from './wire.ts';
import { World } from './world.ts';
import { writeDown, type Manner } from './write-down.ts';

/** One request and its reply. */
export interface Exchange {
  readonly operation: OperationName | undefined;
  readonly request: ForeignRequest;
  readonly content: Content;
  /** The rows of the reply as they were written. */
  readonly rows: readonly Members[];
  readonly isAllowed: boolean;
}

/** The reply that replaces the allowed answer; undefined sends the allowed answer. */
export type Mischief = (asked: {
  readonly operation: OperationName;
  readonly request: ForeignRequest;
  readonly content: Content;
}) => Disallowed | undefined;

export interface ForeignOptions {
  readonly seed: number;
  readonly setting: Setting;
  readonly how?: Variation;
  readonly mischief?: Mischief | undefined;
}

/**
 * A service written from the published documents only, which answers each operation in any of the ways that they
 * allow. It shares no code with the sandbox and the client: a mistake that those two share fails here.
 */
export class ForeignService {
  readonly world: World;
  readonly exchanges: Exchange[] = [];
  mischief: Mischief | undefined;
  readonly #manner: Manner;

  constructor({ seed, setting, how = free, mischief }: ForeignOptions) {
    this.world = new World(seed, setting);
    this.mischief = mischief;
    this.#manner = { dice: new Dice(`replies ${seed}`), how, seed };
  }

  answer(request: ForeignRequest): WireReply {
    const route = routeOf(request.method, request.url.pathname);
    // The page of another host, to which redirects lead.
    if (request.url.origin !== this.world.setting.origin || request.url.pathname === '/login')
      return elsewhere.write(done, request, this.#manner);
    if (!route) {
      const content = rejection(404, 'CMN-120', `Invalid URI: ${request.method} ${request.url.pathname}`);
      return this.#note(undefined, request, content);
    }
    const mischief = this.mischief;
    if (!mischief) {
      const { name, parameters } = route;
      return this.#note(name, request, answers[name]({ request, parameters, world: this.world }));
    }
    return this.#withMischief(mischief, route, request);
  }

  #withMischief(
    mischief: Mischief,
    {
      name,
      parameters,
    }: { readonly name: OperationName; readonly parameters: Readonly<Record<string, string>> },
    request: ForeignRequest,
  ): WireReply {
    // A reply that replaces the answer leaves the service unchanged: the request is run on a separate world.
    const isRead = request.method === 'GET';
    const world = isRead ? this.world : this.world.copy();
    const content = answers[name]({ request, parameters, world });
    const chosen = mischief({ operation: name, request, content });
    if (!chosen) {
      const own = isRead ? content : answers[name]({ request, parameters, world: this.world });
      return this.#note(name, request, own);
    }
    this.exchanges.push({ operation: name, request, content, rows: [], isAllowed: false });
    return chosen.write(content, request, this.#manner);
  }

  #note(operation: OperationName | undefined, request: ForeignRequest, content: Content): WireReply {
    const { reply, rows } = writeDown(content, request, this.#manner);
    this.exchanges.push({ operation, request, content, rows, isAllowed: true });
    return reply;
  }
}
