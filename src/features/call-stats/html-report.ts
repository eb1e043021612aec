import { isoWithOffset } from '../../platform/moment.ts';
import { counted } from '../../platform/counted.ts';
import { dayChart, heatChart, heatSteps, hourChart } from './charts.ts';
import { escapeHtml } from './escape-html.ts';
import { definitionList } from './definitions.ts';
import { minuteText, periodText } from './period.ts';
import { callsOf, labelOf, type CallStats } from './stats.ts';
import { percent, spanText } from './text-report.ts';

const style = `:root{color-scheme:light dark;--ink:#1b2330;--dim:#5b6675;--paper:#fff;--panel:#f4f6f9;--line:#d9dfe7;--mark:#2457a6;--warm:#b4531f;
--heat-0:#e8ecf4;--heat-1:#cad6e8;--heat-2:#a1b6d8;--heat-3:#7797c7;--heat-4:#4e77b7;--heat-5:#2457a6}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e8edf4;--dim:#9aa7b8;--paper:#12161c;--panel:#1b212a;--line:#323c4a;--mark:#7fb0ff;--warm:#f0a878;
--heat-0:#212a37;--heat-1:#2f3e55;--heat-2:#435a7f;--heat-3:#5777aa;--heat-4:#6b93d4;--heat-5:#7fb0ff}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:1.5rem 1rem 4rem}h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:0 0 .75rem}
p{color:var(--dim);margin:.25rem 0 1.5rem}.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:0 0 1.5rem;padding:0}#outcomes{grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr))}
.figures div,section{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem}
.subject{display:grid;gap:.1rem;margin:.5rem 0 1.5rem}.subject div{display:grid;grid-template-columns:8rem minmax(0,1fr);align-items:baseline}.subject dd,#definitions dd{font-size:1rem;white-space:normal}#definitions dl{margin:0}#definitions div+div{margin-top:.6rem}
dt{color:var(--dim);font-size:.85rem}dd{margin:0;font-size:1.2rem;white-space:nowrap;font-variant-numeric:tabular-nums}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem}.wide{grid-column:1/-1}section{min-width:0}
svg{display:block;width:100%;height:auto}.mark:hover{fill:var(--warm)}.middle,.broad{display:none}
@media (min-width:521px) and (max-width:880px){.narrow{display:none}.middle{display:block}}@media (min-width:881px){.narrow{display:none}.broad{display:block}}
.scale{display:flex;align-items:center;justify-content:flex-end;gap:.25rem;color:var(--dim);font-size:.75rem;margin-top:.5rem}.scale i{width:1.1rem;height:.8rem}
.scroll{overflow:auto;max-height:34rem}thead th{position:sticky;top:0;background:var(--panel)}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.9rem}th,td{text-align:right;padding:.35rem .5rem;border-top:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:7.5rem;position:sticky;left:0;background:linear-gradient(var(--mark) 0 0) left bottom/var(--share,0) 3px no-repeat var(--panel)}thead th:first-child{z-index:1}thead th{color:var(--dim);font-weight:500;border-top:0}
@media print{*{print-color-adjust:exact}main{padding:0}.scroll{overflow:visible;max-height:none}thead th,th:first-child,td:first-child{position:static}tr,.grid>section:not(:has(table,dl)),#definitions div{break-inside:avoid}h2{break-after:avoid}th,td{padding:.3rem}}`;

/** The description of a report, in addition to its figures. */
export interface ReportSubject {
  readonly title: string;
  /** The account and its service. */
  readonly account: string;
  /** Description of the counted calls, such as `Voice calls of all extensions`. */
  readonly calls: string;
  /** Time at which the report was made, in milliseconds since 1970. */
  readonly madeAt: number;
}

/**
 * Returns a self-contained HTML page: no script, no external address, charts as SVG (docs/adr/0020-echarts.md). The
 * element `data` contains the figures as JSON.
 */
export function htmlReport(stats: CallStats, subject: ReportSubject): string {
  const { title } = subject;
  const json = JSON.stringify(stats).replaceAll('<', String.raw`\u003c`);
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<dl class="subject">
${subjectLines(stats, subject)}
</dl>
<dl class="figures">
${keyFigures(stats)}
</dl>
<dl class="figures" id="outcomes">
${outcomeFigures(stats)}
</dl>
<p>${escapeHtml(sumText)}</p>
<div class="grid">
${chartSections(stats)}
${queueTable(stats)}
${agentTable(stats)}
${resultTable(stats)}
${definitions(stats)}
</div>
</main>
<script type="application/json" id="data">${json}</script>
</body>
</html>
`;
}

function subjectLines(stats: CallStats, { account, calls, madeAt }: ReportSubject): string {
  const { zone } = stats;
  return pairs([
    ['Account', account],
    ['Calls', calls],
    ['Period', periodText(stats, madeAt)],
    ['Time zone', zone],
    ['Report created', minuteText(isoWithOffset(madeAt, zone))],
  ]);
}

const sumText =
  'Each call has exactly one result, so the answered, missed, abandoned, voicemail, unanswered and other calls add up to the total.';

function keyFigures({ totals, serviceLevelSeconds }: CallStats): string {
  return pairs([
    ['Calls', String(totals.calls)],
    ['Inbound', String(totals.inbound)],
    ['Outbound', String(totals.outbound)],
    ...(totals.unknownDirection > 0 ? [['Unknown direction', String(totals.unknownDirection)] as const] : []),
    ['Talk time', spanText(totals.talkSeconds)],
    [`Service level (within ${serviceLevelSeconds} s)`, percent(totals.serviceLevel)],
  ]);
}

/** One figure for each outcome. */
function outcomeFigures({ totals }: CallStats): string {
  return pairs([
    ['Answered', String(totals.answered)],
    ['Missed', String(totals.missed)],
    ['Abandoned', String(totals.abandoned)],
    ['Voicemail', String(totals.voicemail)],
    ['Unanswered', String(totals.unanswered)],
    ['Other', String(totals.other)],
  ]);
}

/** Formats terms with their values as a description list. */
function pairs(all: readonly (readonly [string, string])[]): string {
  return all
    .map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join('\n');
}

function definitions(stats: CallStats): string {
  return `<section class="wide" id="definitions"><h2>Definitions</h2><dl>
${pairs(definitionList(stats.serviceLevelSeconds))}
</dl></section>`;
}

function chartSections(stats: CallStats): string {
  const most = Math.max(0, ...stats.byWeekdayAndHour.flat());
  return `<section><h2>Calls by hour</h2>
${hourChart(stats)}</section>
<section><h2>Calls by day</h2>
${dayChart(stats)}</section>
<section class="wide"><h2>Calls by weekday and hour</h2>
${heatChart(stats)}
<div class="scale"><span>0</span>${heatScale}<span>${counted(most, 'call')}</span></div></section>`;
}

function queueTable({ byQueue, serviceLevelSeconds }: CallStats): string {
  return table(
    'queues',
    `Calls by queue (${counted(byQueue.length, 'queue')})`,
    [
      'Queue',
      'Calls',
      'Answered',
      'Missed',
      'Abandoned',
      'Voicemail',
      'Other',
      `Within ${serviceLevelSeconds} s`,
      'Talk time',
    ],
    byQueue.map((queue) => [
      labelOf(queue),
      queue.calls,
      queue.answered,
      queue.missed,
      queue.abandoned,
      queue.voicemail,
      queue.other + queue.unanswered,
      percent(queue.serviceLevel),
      spanText(queue.talkSeconds),
    ]),
    byQueue.map(({ calls }) => calls),
  );
}

function agentTable({ byAgent }: CallStats): string {
  const hasUnknown = byAgent.some(({ unknownDirection }) => unknownDirection > 0);
  return table(
    'agents',
    `Calls by agent (${counted(byAgent.length, 'agent')})`,
    [
      'Agent',
      'Inbound',
      'Outbound',
      ...(hasUnknown ? ['Unknown direction'] : []),
      'Answered',
      'Missed rings',
      'Talk time',
    ],
    byAgent.map((agent) => [
      labelOf(agent),
      agent.inbound,
      agent.outbound,
      ...(hasUnknown ? [agent.unknownDirection] : []),
      agent.answered,
      agent.missedRings,
      spanText(agent.talkSeconds),
    ]),
    byAgent.map(callsOf),
  );
}

function resultTable({ byResult }: CallStats): string {
  return table(
    'results',
    'Calls by result',
    ['Result', 'Calls'],
    byResult.map(({ result, calls }) => [result, calls]),
    byResult.map(({ calls }) => calls),
  );
}

const heatScale = Array.from(
  { length: heatSteps + 1 },
  (_, step) => `<i style="background:var(--heat-${step})"></i>`,
).join('');

function table(
  id: string,
  title: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  /** Number of calls of each row, shown as a bar below the name. */
  calls: readonly number[],
): string {
  if (rows.length === 0) return '';
  const most = Math.max(1, ...calls);
  const share = (index: number): string =>
    ` style="--share:${Math.round(((calls[index] ?? 0) / most) * 1000) / 10}%"`;
  const cells = (tag: string, values: readonly (string | number)[], style = ''): string =>
    `<tr${style}>${values.map((value) => `<${tag}>${escapeHtml(String(value))}</${tag}>`).join('')}</tr>`;
  return `<section class="${heads.length > 3 ? 'wide' : ''}"><h2>${escapeHtml(title)}</h2><div class="scroll"><table id="${id}">
<thead>${cells('th', heads)}</thead>
<tbody>${rows.map((row, index) => cells('td', row, share(index))).join('\n')}</tbody>
</table></div></section>`;
}
