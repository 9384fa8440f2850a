import { attributes, html, Markup } from '../../discovery/look/html.ts';
import { STYLE } from '../../discovery/look/style.ts';
import { themeRules } from '../../discovery/look/theme.ts';
import type { Group, Report } from './report.ts';

const OWN_STYLE = `
table{border-collapse:collapse;width:100%;font-size:.95rem}th{text-align:left}th,td{padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}td:last-child,th:last-child{padding-right:0}
.number{text-align:right;white-space:nowrap}
.bars{width:100%;height:9rem;fill:var(--accent);background:var(--card);border:1px solid var(--line)}
.bar-row svg{width:100%;min-width:4rem;height:.5rem;background:var(--line);fill:var(--accent)}`;

/** The report as one page that needs nothing but itself: no script, no network. */
export function reportPage(brand: string, report: Report): string {
  const { questions, since, until, groups, weak, silent } = report;
  const lead = `${questions} questions from ${day(since)} to ${day(until)}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>What was asked: ${brand}</title>
<link rel="icon" href="data:,">
<style>${new Markup(themeRules(undefined) + STYLE + OWN_STYLE)}</style>
</head>
<body>
<main>
<div class="hero"><h1>What was asked</h1><p class="lead">${brand}: ${lead}</p></div>
${section('By day', daysChart(report))}
${section('Most asked', groupTable(groups.slice(0, 25)))}
${section('Weakly answered', weak.length === 0 ? html`<p>Every group of questions has a claim that answers it.</p>` : groupTable(weak.slice(0, 25)))}
${section('Claims never the best match', silent.length === 0 ? html`<p>None.</p>` : html`<ul>${silent.map(({ claim_id, statement }) => html`<li><strong>${claim_id}</strong>: ${statement}</li>`)}</ul>`)}
${section('Languages', shares(report.languages))}
${section('Channels', shares(report.channels))}
${section('Agent or person', shares(report.visitors))}
</main>
</body>
</html>
`.text;
}

const section = (title: string, body: Markup) =>
  html`<section><h2>${title}</h2><div class="body">${body}</div></section>`;
const day = (date: Date) => date.toISOString().slice(0, 10);

/** A bar a day; the figures for those who do not see them. */
function daysChart({ days }: Report): Markup {
  const counts = [...days.values()];
  const most = Math.max(1, ...counts);
  const [first = '', last = ''] = [[...days.keys()][0], [...days.keys()].at(-1)];
  const bars = counts.map((count, at) => {
    const height = (count / most) * 96;
    return html`<rect${attributes({ x: at * 10 + 1, y: 100 - height, width: 8, height })}/>`;
  });
  const label = `Questions by day from ${first} to ${last}, at most ${most}`;
  return html`<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${counts.length * 10} 100" preserveAspectRatio="none">${bars}</svg><p class="note">${first} to ${last}; the highest bar is ${most}.</p>`;
}

function groupTable(groups: readonly Group[]): Markup {
  return html`<table><thead><tr><th scope="col">Question</th><th scope="col" class="number">Times</th><th scope="col" class="number">Similarity</th><th scope="col">Best claim</th></tr></thead><tbody>${groups.map(
    ({ query, others, times, similarity, claimId }) =>
      html`<tr><td>${query}${others.length > 0 && html`<br><span class="note">${others.join(' · ')}</span>`}</td><td class="number">${times}</td><td class="number">${similarity.toFixed(2)}</td><td>${claimId ?? 'none'}</td></tr>`,
  )}</tbody></table>`;
}

function shares(counts: ReadonlyMap<string, number>): Markup {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return html`<table class="bar-row"><tbody>${[...counts].map(([name, count]) => {
    const width = Math.round((count / Math.max(1, all)) * 100);
    return html`<tr><th scope="row">${name}</th><td class="number">${count} (${width} %)</td><td><svg viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="5"/></svg></td></tr>`;
  })}</tbody></table>`;
}
