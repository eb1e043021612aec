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
      const before = effectsOf(office);
      const confirmedBefore = tally.confirmed;
      await playSequence(office, random, tally);
      unconfirmed += Math.max(0, effectsOf(office) - before - (tally.confirmed - confirmedBefore));
    }
    const effects = effectsOf(office);
    return [
      {
        promise: 'an agent sends nothing without a confirmation',
        figure: `${unconfirmed} sends without a confirmation in ${sequences} sequences (${tally.calls} calls, ${tally.confirmed} confirmations, ${effects} requests that changed something)`,
        // Without any change the proof would show nothing.
        holds: unconfirmed === 0 && effects > 0 && effects <= tally.confirmed,
      },
    ];
  } finally {
    await office.sandbox.close();
  }
}

/** Requests that the service accepted and that change something. */
function effectsOf({ sandbox }: Office): number {
  return sandbox
    .requestLog()
    .filter(({ method, path, status }) => method !== 'GET' && !path.includes('/oauth/') && status < 300)
    .length;
}

/** A call of a tool. */
interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One connection with random calls. The user, or the agent by the plan of a preview, confirms some of them. */
async function playSequence(office: Office, random: Dice, tally: Tally): Promise<void> {
  const canAsk = random.chance(0.5);
  const { client, close } = await connect({
    office,
    env: { UCCTL_MCP_ALLOW: '*' },
    ...(canAsk && {
      answer: () => {
        const answer = random.pick(['confirm', 'decline', 'cancel', 'unchecked'] as const);
        if (answer === 'confirm') tally.confirmed += 1;
        return answer;
      },
    }),
  });
  const run = async ({ name, input }: Call): Promise<string | undefined> => {
    tally.calls += 1;
    const reply = await client.callTool({ name, arguments: { ...input } });
    return ((reply.structuredContent ?? {}) as { readonly plan_id?: string }).plan_id;
  };
  try {
    let plan: { readonly id: string; readonly call: Call } | undefined;
    const count = random.integer(1, 6);
    for (let turn = 0; turn < count; turn += 1) {
      if (plan && random.chance(0.5)) {
        // The plan with its own call confirms it. With another call it must do nothing.
        const call = random.chance(0.6) ? plan.call : randomCall(random);
        if (JSON.stringify(call) === JSON.stringify(plan.call)) tally.confirmed += 1;
        await run({ name: call.name, input: { ...call.input, plan_id: plan.id } });
      } else {
        const call = randomCall(random);
        const id = await run(call);
        if (id !== undefined) plan = { id, call };
      }
    }
  } finally {
    await close();
  }
}

function randomCall(random: Dice): Call {
  const [name, input] = random.pick([
    ['sms_send', { to: [receiver], text: random.pick(['one', '--yes', 'two']) }],
    ['sms_send', { to: [receiver], text: 'one' }],
    ['pager_send', { command: 'pager send', to: ['102'], text: 'one' }],
    ['presence_set', { status: random.pick(['Busy', 'Available']) }],
    ['queue_change', { command: 'queue assign', queue: 'Support', add: ['106'] }],
    ['agent_read', { command: 'agent list' }],
    ['policy_test', { number: receiver }],
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
