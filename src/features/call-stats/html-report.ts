import type { CallStats } from './stats.ts';
import { areaChart, axisValues, barChart, heatChart, type ChartPoint } from './svg-chart.ts';
import { escapeHtml } from './escape-html.ts';
import { percent, spanText } from './text-report.ts';

const style = `:root{color-scheme:light dark;--ink:#1b2330;--dim:#5b6675;--paper:#fff;--panel:#f4f6f9;--line:#d9dfe7;--mark:#2457a6;--warm:#b4531f}
@media (prefers-color-scheme:dark){:root{--ink:#e8edf4;--dim:#9aa7b8;--paper:#12161c;--panel:#1b212a;--line:#323c4a;--mark:#7fb0ff;--warm:#f0a878}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:1.5rem 1rem 4rem}h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:0 0 .75rem}
p{color:var(--dim);margin:.25rem 0 1.5rem}.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:0 0 1.5rem;padding:0}
.figures div,section{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem}
dt{color:var(--dim);font-size:.85rem}dd{margin:0;font-size:1.2rem;white-space:nowrap;font-variant-numeric:tabular-nums}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem}.wide{grid-column:1/-1}section{min-width:0}
svg{display:block;width:100%;height:9rem}svg.heat{height:11rem}.bar{fill:var(--mark)}.bar:hover{fill:var(--warm)}.area{fill:var(--mark);opacity:.25}.stroke{fill:none;stroke:var(--mark);stroke-width:2;vector-effect:non-scaling-stroke}
.cell{fill:var(--mark)}.labels,.hours{display:flex;justify-content:space-between;color:var(--dim);font-size:.75rem;margin-top:.25rem}.hours{display:grid;grid-template-columns:repeat(4,1fr)}
.plot{display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:.5rem}.values{position:relative;min-width:2.5rem;height:9rem;font-size:.75rem;color:var(--dim);text-align:right}.values span{position:absolute;right:0;transform:translateY(50%);line-height:1}
.field{position:relative;height:9rem}.field i{position:absolute;left:0;right:0;border-top:1px solid var(--line)}.field svg{position:relative}
.scale{display:flex;align-items:center;justify-content:flex-end;gap:.25rem;color:var(--dim);font-size:.75rem;margin-top:.5rem}.scale i{width:1.1rem;height:.8rem;background:var(--mark)}
.heatmap{display:grid;grid-template-columns:2.5rem minmax(0,1fr);column-gap:.5rem}.days{display:grid;grid-template-rows:repeat(7,1fr);font-size:.75rem;color:var(--dim);align-items:center}
.scroll{overflow:auto;max-height:34rem}thead th{position:sticky;top:0;background:var(--panel)}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.9rem}th,td{text-align:right;padding:.35rem .5rem;border-top:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:7.5rem;position:sticky;left:0;background:linear-gradient(var(--mark) 0 0) left bottom/var(--share,0) 3px no-repeat var(--panel)}thead th:first-child{z-index:1}thead th{color:var(--dim);font-weight:500;border-top:0}`;

/**
 * One HTML file with everything in it: no script, no address of another place, charts as SVG. The figures stand in it once more as JSON, in the
 * element `data`.
 */
export function htmlReport(stats: CallStats, title: string): string {
  const { totals, byHour, byDay } = stats;
  const json = JSON.stringify(stats).replaceAll('<', String.raw`\u003c`);
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const span = [stats.from ?? byDay[0]?.day, stats.to ?? byDay.at(-1)?.day].filter(
    (one) => one !== undefined,
  );
  const figures: readonly (readonly [string, string])[] = [
    ['Calls', String(totals.calls)],
    ['Inbound', String(totals.inbound)],
    ['Outbound', String(totals.outbound)],
    ['Answered', String(totals.answered)],
    ['Missed', String(totals.missed)],
    ['Abandoned', String(totals.abandoned)],
    ['Voicemail', String(totals.voicemail)],
    ['Talk time', spanText(totals.talkSeconds)],
    [`Served in ${stats.serviceLevelSeconds} s`, percent(totals.serviceLevel)],
  ];
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
<p>${escapeHtml(span.map(minuteText).join(' to '))}, time zone ${escapeHtml(stats.zone)}</p>
<dl class="figures">
${figures.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('\n')}
</dl>
<div class="grid">
<section><h2>By hour</h2>
${plot(
  barChart,
  byHour.map(({ hour, calls }) => ({ name: `${hour}:00`, value: calls })),
  'Calls by hour of the day',
  hourLabels,
)}</section>
<section><h2>By day</h2>
${plot(
  areaChart,
  byDay.map(({ day, calls }) => ({ name: day, value: calls })),
  'Calls by day',
  dayLabels(byDay.map(({ day }) => day)),
)}</section>
<section class="wide"><h2>By weekday and hour</h2>
<div class="heatmap"><div class="days">${['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => `<span>${day}</span>`).join('')}</div>
<div>${heatChart(stats.byWeekdayAndHour, 'Calls by weekday and hour')}</div>
<span></span>${hourLabels}</div>
<div class="scale"><span>0</span>${[0.06, 0.3, 0.53, 0.77, 1].map((share) => `<i style="opacity:${share}"></i>`).join('')}<span>${Math.max(0, ...stats.byWeekdayAndHour.flat())} calls</span></div></section>
${table(
  'queues',
  'By queue',
  ['Queue', 'Calls', 'Answered', 'Missed', 'Abandoned', 'In time', 'Talk'],
  stats.byQueue.map((queue) => [
    queue.name,
    queue.calls,
    queue.answered,
    queue.missed,
    queue.abandoned,
    percent(queue.serviceLevel),
    spanText(queue.talkSeconds),
  ]),
  stats.byQueue.map(({ calls }) => calls),
)}
${table(
  'agents',
  'By agent',
  ['Agent', 'In', 'Out', 'Answered', 'Rings missed', 'Talk'],
  stats.byAgent.map((agent) => [
    agent.name,
    agent.inbound,
    agent.outbound,
    agent.answered,
    agent.missedRings,
    spanText(agent.talkSeconds),
  ]),
  stats.byAgent.map(({ inbound, outbound }) => inbound + outbound),
)}
${table(
  'results',
  'By result',
  ['Result', 'Calls'],
  stats.byResult.map(({ result, calls }) => [result, calls]),
  stats.byResult.map(({ calls }) => calls),
)}
</div>
</main>
<script type="application/json" id="data">${json}</script>
</body>
</html>
`;
}

const hourLabels = '<div class="hours"><span>0</span><span>6</span><span>12</span><span>18</span></div>';

function dayLabels(days: readonly string[]): string {
  const middle = days.length > 4 ? [days[Math.floor((days.length - 1) / 2)] ?? ''] : [];
  const shown = [...days.slice(0, 1), ...middle, ...days.slice(1).slice(-1)];
  return `<div class="labels">${shown.map((day) => `<span>${escapeHtml(day)}</span>`).join('')}</div>`;
}

/** A chart with its values on the left, a line for each, and `labels` below. */
function plot(
  chart: (points: readonly ChartPoint[], top: number, title: string) => string,
  points: readonly ChartPoint[],
  title: string,
  labels: string,
): string {
  const values = axisValues(Math.max(0, ...points.map(({ value }) => value)));
  const top = values.at(-1) ?? 1;
  const at = (value: number): string => `style="bottom:${Math.round((value / top) * 1000) / 10}%"`;
  const lines = values.map((value) => `<i ${at(value)}></i>`).join('');
  return `<div class="plot"><div class="values">${values.map((value) => `<span ${at(value)}>${value}</span>`).join('')}</div>
<div class="field">${lines}${chart(points, top, title)}</div>
<span></span>${labels}</div>`;
}

function table(
  id: string,
  title: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  /** Of each row: the bar under its name. */
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

/** `2026-01-05 09:00` of a time, a day as it is. */
function minuteText(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
