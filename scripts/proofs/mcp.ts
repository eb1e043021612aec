import { lastingOffice, type Office } from '../../test/commands/office.ts';
import { Dice } from '../../test/support/dice.ts';
import { connect } from '../../test/support/mcp-connection.ts';
import type { Result, Size } from './result.ts';

const sizes = { full: 1000, reduced: 20 } as const;
const receiver = '+16505550112';

/** Counts of a run. */
interface Tally {
  /** Confirmations that the user gave, or plans that the agent ran. */
  confirmed: number;
  calls: number;
}

/** Sends, calls and deletions of an agent happen only after a confirmation (docs/promises.md). */
export async function run(size: Size): Promise<readonly Result[]> {
  const sequences = sizes[size];
  const random = new Dice('mcp');
  const office = await lastingOffice('administrator', undefined, undefined, {
    rateLimits: 'off',
    // The log must hold all requests of the run.
    settings: { requestLogRows: 100_000 },
  });
  const tally: Tally = { confirmed: 0, calls: 0 };
  let unconfirmed = 0;
  try {
    for (let sequence = 0; sequence < sequences; sequence += 1) {
      const before = effectsOf(office).length;
      const confirmedBefore = tally.confirmed;
      const calls = await playSequence(office, random, tally);
      const effects = effectsOf(office).slice(before);
      const tooMany = effects.length - (tally.confirmed - confirmedBefore);
      if (tooMany <= 0) continue;
      unconfirmed += tooMany;
      process.stderr.write(`sequence ${sequence}:\n  ${[...calls, ...effects].join('\n  ')}\n`);
    }
    const effects = effectsOf(office).length;
    return [
      {
        promise: 'an agent sends nothing without a confirmation',
        figure: `${unconfirmed} sends without a confirmation in ${sequences} sequences (${tally.calls} calls, ${tally.confirmed} confirmations, ${effects} requests that changed something)`,
        // A run without any change would prove nothing.
        holds: unconfirmed === 0 && effects > 0 && effects <= tally.confirmed,
      },
    ];
  } finally {
    await office.sandbox.close();
  }
}

/** Requests that the service accepted and that change something, oldest first. */
function effectsOf({ sandbox }: Office): readonly string[] {
  return sandbox
    .requestLog()
    .filter(({ method, path, status }) => method !== 'GET' && !path.includes('/oauth/') && status < 300)
    .map(({ method, path, status }) => `${method} ${path} ${status}`);
}

/** A call of a tool. */
interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One connection with random calls, which are returned as text. The user, or the agent by the plan of a preview, confirms some of them. */
async function playSequence(office: Office, random: Dice, tally: Tally): Promise<readonly string[]> {
  const calls: string[] = [];
  const canAsk = random.chance(0.5);
  const { client, close } = await connect({
    office,
    env: { UCCTL_MCP_ALLOW: '*' },
    ...(canAsk && {
      answer: () => {
        const answer = random.pick(['confirm', 'decline', 'cancel', 'unchecked'] as const);
        calls.push(`the user answers: ${answer}`);
        if (answer === 'confirm') tally.confirmed += 1;
        return answer;
      },
    }),
  });
  const run = async ({ name, input }: Call): Promise<string | undefined> => {
    tally.calls += 1;
    calls.push(`${name} ${JSON.stringify(input)}`);
    const reply = await client.callTool({ name, arguments: { ...input } });
    const content = (reply.structuredContent ?? {}) as {
      readonly plan_id?: string;
      readonly status?: string;
    };
    calls.push(`  ${content.status} ${content.plan_id ?? ''}`);
    return content.plan_id;
  };
  try {
    let plan: { readonly id: string; readonly call: Call } | undefined;
    const count = random.integer(1, 6);
    for (let turn = 0; turn < count; turn += 1) {
      if (plan && random.chance(0.5)) {
        // A plan that is run with its own call confirms the call. A plan that is run with another call must have no
        // effect.
        const call = random.chance(0.6) ? plan.call : randomCall(random);
        const planned = withPlan(call, plan.id);
        if (JSON.stringify(planned) === JSON.stringify(withPlan(plan.call, plan.id))) tally.confirmed += 1;
        await run(planned);
      } else {
        const call = randomCall(random);
        const id = await run(call);
        if (id !== undefined) plan = { id, call };
      }
    }
  } finally {
    await close();
  }
  return calls;
}

/** The call with the ID of a plan, which replaces another ID. */
function withPlan({ name, input }: Call, id: string): Call {
  const { plan_id: _, ...own } = input;
  return { name, input: { ...own, plan_id: id } };
}

function randomCall(random: Dice): Call {
  const [name, input] = random.pick([
    ['sms_send', { to: [receiver], text: random.pick(['one', '--yes', 'two']) }],
    ['sms_send', { to: [receiver], text: 'one' }],
    ['pager_send', { command: 'pager send', to: ['102'], text: 'one' }],
    ['presence_set', { status: random.pick(['Busy', 'Available']) }],
    ['queue_change', { command: 'queue assign', queue: 'Support', add: ['106'] }],
    ['people_read', { command: 'agent list' }],
    ['account_status', { command: 'policy test', number: receiver }],
  ] as const);
  const extra = random.pick<Readonly<Record<string, unknown>>>([
    {},
    {},
    {},
    { plan_id: 'plan-of-nobody' },
    { yes: true },
    { 'dry-run': false },
  ]);
  return { name, input: { ...input, ...extra } };
}
