import { attributes, html, Markup } from '../../discovery/look/html.ts';
import { STYLE } from '../../discovery/look/style.ts';
import { themeRules } from '../../discovery/look/theme.ts';
import { wordFor } from '../../tools/language/language.ts';
import type { Group } from './groups.ts';
import type { Report } from './report.ts';
import { type ReportWords, reportWords } from './report-words.ts';

const OWN_STYLE = `
table{border-collapse:collapse;width:100%;font-size:.95rem}th{text-align:left}th,td{padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}td:last-child,th:last-child{padding-right:0}
.number{text-align:right;white-space:nowrap}
.bars{width:100%;height:9rem;fill:var(--accent);background:var(--card);border:1px solid var(--line)}
.bar-row svg{width:100%;min-width:4rem;height:.5rem;background:var(--line);fill:var(--accent)}`;

/** The report as one page in the brand's language that needs nothing but itself: no script, no network. */
export function reportPage({ brand, language }: { brand: string; language: string }, report: Report): string {
  const { questions, since, until, groups, weak, doubtful, silent } = report;
  const words = reportWords(language);
  const table = (list: readonly Group[], none: string) =>
    list.length === 0 ? html`<p>${none}</p>` : groupTable(words, list.slice(0, 25));
  return html`<!doctype html>
<html lang="${/^es\b/i.test(language) ? 'es' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${words.title}: ${brand}</title>
<link rel="icon" href="data:,">
<style>${new Markup(themeRules(undefined) + STYLE + OWN_STYLE)}</style>
</head>
<body>
<main>
<div class="hero"><h1>${words.title}</h1><p class="lead">${brand}: ${words.lead(questions, day(since), day(until))}</p></div>
${section(words.byDay, daysChart(words, report))}
${section(words.doubtful, table(doubtful, words.noDoubtful))}
${section(words.weak, table(weak, words.noWeak))}
${section(words.most, groupTable(words, groups.slice(0, 25)))}
${section(words.silent, silent.length === 0 ? html`<p>${words.none}</p>` : html`<ul>${silent.map(({ claim_id, statement }) => html`<li><strong>${claim_id}</strong>: ${statement}</li>`)}</ul>`)}
${section(words.languages, shares(words, report.languages))}
${section(words.channels, shares(words, report.channels))}
${section(words.visitors, shares(words, report.visitors))}
</main>
</body>
</html>
`.text;
}

const section = (title: string, body: Markup) =>
  html`<section><h2>${title}</h2><div class="body">${body}</div></section>`;
const day = (date: Date) => date.toISOString().slice(0, 10);

/** A bar a day; the figures for those who do not see them. */
function daysChart(words: ReportWords, { days }: Report): Markup {
  const counts = [...days.values()];
  const most = Math.max(1, ...counts);
  const [first = '', last = ''] = [[...days.keys()][0], [...days.keys()].at(-1)];
  const bars = counts.map((count, at) => {
    const height = (count / most) * 96;
    return html`<rect${attributes({ x: at * 10 + 1, y: 100 - height, width: 8, height })}/>`;
  });
  const label = words.days(first, last, most);
  return html`<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${counts.length * 10} 100" preserveAspectRatio="none">${bars}</svg><p class="note">${label}.</p>`;
}

function groupTable({ columns, doubts: why, nothing }: ReportWords, groups: readonly Group[]): Markup {
  const [question, times, similarity, claim] = columns;
  return html`<table><thead><tr><th scope="col">${question}</th><th scope="col" class="number">${times}</th><th scope="col" class="number">${similarity}</th><th scope="col">${claim}</th></tr></thead><tbody>${groups.map(
    group =>
      html`<tr><td>${group.query}${[group.others, group.doubts.map(doubt => why[doubt])].map(notes => html`${notes.length > 0 && html`<br><span class="note">${notes.join(' · ')}</span>`}`)}</td><td class="number">${group.times}</td><td class="number">${group.similarity.toFixed(2)}</td><td>${group.claimId ?? nothing}</td></tr>`,
  )}</tbody></table>`;
}

function shares({ names }: ReportWords, counts: ReadonlyMap<string, number>): Markup {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return html`<table class="bar-row"><tbody>${[...counts].map(([name, count]) => {
    const width = Math.round((count / Math.max(1, all)) * 100);
    return html`<tr><th scope="row">${wordFor(names, name) ?? name}</th><td class="number">${count} (${width} %)</td><td><svg viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="5"/></svg></td></tr>`;
  })}</tbody></table>`;
}
